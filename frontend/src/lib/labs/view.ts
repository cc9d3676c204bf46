/** From which side the circle and the sphere are seen. */

import { degrees, radians } from "./infonce";
import type { SphereView } from "./settings";

export const ZOOM = { least: 0.6, most: 3 } as const;
const HIGHEST = 85;

/** An angle in degrees as the equal one in (-180, 180]. */
export function wrapDegrees(angle: number): number {
  const wrapped = ((angle % 360) + 360) % 360;
  return wrapped > 180 ? wrapped - 360 : wrapped;
}

/** The angle in degrees of a point seen from a center; `y` grows downwards as on a screen, angles grow upwards. */
export function screenAngle(x: number, y: number, centerX: number, centerY: number): number {
  return degrees(Math.atan2(centerY - y, x - centerX));
}

/** `view` after a drag of so many pixels on a picture that is `size` pixels wide: half a turn across it. */
export function orbited(view: SphereView, dx: number, dy: number, size: number): SphereView {
  return {
    longitude: wrapDegrees(view.longitude - (180 * dx) / size),
    latitude: Math.min(HIGHEST, Math.max(-HIGHEST, view.latitude + (180 * dy) / size)),
    zoom: view.zoom,
  };
}

export function zoomed(view: SphereView, factor: number): SphereView {
  return { ...view, zoom: Math.min(ZOOM.most, Math.max(ZOOM.least, view.zoom * factor)) };
}

/** Where a camera at that view stands, on a sphere of radius `distance`; the second coordinate points up. */
export function cameraPosition(view: SphereView, distance: number): [number, number, number] {
  const longitude = radians(view.longitude);
  const latitude = radians(view.latitude);
  return [
    distance * Math.cos(latitude) * Math.sin(longitude),
    distance * Math.sin(latitude),
    distance * Math.cos(latitude) * Math.cos(longitude),
  ];
}
