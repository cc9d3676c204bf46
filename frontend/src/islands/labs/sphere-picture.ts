/** The sphere, drawn with three.js. This module alone imports it. */

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Line,
  LineBasicMaterial,
  LineLoop,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Points,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import { letter } from "../../lib/labs/figures";
import { LARGEST_QUEUE } from "../../lib/labs/queue";
import type { SphereView } from "../../lib/labs/settings";
import { CLASSES, type Trainer } from "../../lib/labs/trainer";
import { cameraPosition } from "../../lib/labs/view";
import { CLASS_COLORS, type Colors } from "./colors";

const DISTANCE = 4.4;
const FIELD_OF_VIEW = 34;
/** The queue floats above the surface: the newest keys low, the oldest high. */
const BAND = [1.035, 1.26] as const;
const SEGMENTS = 72;
/** The side of a query's or key's picture in pixels of the page. */
const MARKER = 34;

const VERTEX = `
attribute vec3 tint;
attribute float strength;
attribute float marked;
uniform float scale;
varying vec3 vTint;
varying float vStrength;
varying float vMarked;
void main() {
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  vec3 outwards = normalize(normalMatrix * position);
  // What is behind the sphere fades away.
  float facing = smoothstep(-0.25, 0.15, dot(outwards, normalize(-seen.xyz)));
  vTint = tint;
  vMarked = marked;
  vStrength = strength * mix(0.16, 1.0, facing);
  gl_PointSize = (marked > 0.5 ? 14.0 : 7.0) * scale;
  gl_Position = projectionMatrix * seen;
}`;

const FRAGMENT = `
uniform vec3 ink;
varying vec3 vTint;
varying float vStrength;
varying float vMarked;
void main() {
  float radius = length(gl_PointCoord - 0.5) * (vMarked > 0.5 ? 14.0 : 7.0);
  float disc = 1.0 - smoothstep(2.4, 3.4, radius);
  float ring = vMarked * smoothstep(4.4, 5.2, radius) * (1.0 - smoothstep(6.0, 6.9, radius));
  float alpha = max(disc, ring) * vStrength;
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(mix(vTint, ink, ring), alpha);
  #include <colorspace_fragment>
}`;

/** The arrow of the next jump: how many pieces its shaft has, and its widths and its head in radii of the sphere. */
const ARROW = { pieces: 16, shaft: 0.009, head: 0.03, length: 0.07, least: 0.01 } as const;

export interface SphereLook {
  readonly view: SphereView;
  readonly shown: number | null;
  readonly tau: number;
  readonly eta: number;
}

export class SpherePicture {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 20);
  private readonly queries: Sprite[] = [];
  private readonly keys: Sprite[] = [];
  private readonly grid: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly outline: LineLoop<BufferGeometry, LineBasicMaterial>;
  private readonly surface: Mesh<SphereGeometry, MeshBasicMaterial>;
  private readonly link: Line<BufferGeometry, LineBasicMaterial>;
  private readonly arrow: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly queue: Points<BufferGeometry, ShaderMaterial>;
  private size = 1;

  /** Throws where there is no WebGL. `quick`: where the processor draws, smooth edges cost more than they give. */
  constructor(
    canvas: HTMLCanvasElement,
    colors: Colors,
    private readonly quick: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !quick });
    this.surface = new Mesh(
      new SphereGeometry(0.985, 48, 32),
      new MeshBasicMaterial({ transparent: true, opacity: 0.55 }),
    );
    this.grid = new LineSegments(gridGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.5 }));
    this.outline = new LineLoop(outlineGeometry(), new LineBasicMaterial());
    this.link = new Line(emptyGeometry(2), new LineBasicMaterial());
    this.arrow = new Mesh(
      arrowGeometry(),
      new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false, side: DoubleSide }),
    );
    this.queue = new Points(queueGeometry(), queueMaterial());
    // Drawn in this order: the far side of everything, the veil of the surface, the near side.
    for (const [order, part] of [this.grid, this.surface, this.outline, this.queue, this.link, this.arrow].entries()) {
      part.renderOrder = order;
      part.frustumCulled = false;
      this.scene.add(part);
    }
    for (let label = 0; label < CLASSES; label += 1) {
      this.keys.push(this.marker());
      this.queries.push(this.marker());
    }
    this.paint(colors);
  }

  /** Takes the colors of the page. */
  paint(colors: Colors): void {
    this.surface.material.color = new Color(colors.paper);
    this.grid.material.color = new Color(colors["rule-strong"]);
    this.outline.material.color = new Color(colors["rule-strong"]);
    this.link.material.color = new Color(colors.accent);
    this.arrow.material.color = new Color(colors.ink);
    this.queue.material.uniforms["ink"]!.value = new Color(colors.ink);
    for (let label = 0; label < CLASSES; label += 1) {
      this.exchange(this.queries[label]!, discTexture(label, colors));
      this.exchange(this.keys[label]!, ringTexture(label, colors));
    }
  }

  resize(size: number, scale: number): void {
    this.size = Math.max(1, size);
    const ratio = Math.min(this.quick ? 1 : 2, scale);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.size, this.size, false);
    this.queue.material.uniforms["scale"]!.value = ratio;
  }

  draw(trainer: Trainer, look: SphereLook): void {
    this.camera.position.set(...cameraPosition(look.view, DISTANCE / look.view.zoom));
    this.camera.lookAt(0, 0, 0);
    this.camera.updateMatrixWorld();
    this.outline.quaternion.copy(this.camera.quaternion);
    // In perspective the edge that is seen lies a little outside of the great circle.
    const distance = this.camera.position.length();
    this.outline.scale.setScalar(distance / Math.sqrt(distance * distance - 1));
    this.placeQueue(trainer, look.shown);
    for (let label = 0; label < CLASSES; label += 1) {
      this.placeMarker(this.keys[label]!, trainer.keys, label, 20);
      this.placeMarker(this.queries[label]!, trainer.queries, label, 30);
    }
    this.placeLink(trainer, look.shown);
    this.placeArrow(trainer, look);
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.scene.traverse((part) => {
      if (part instanceof Mesh || part instanceof Line || part instanceof Points) {
        (part.geometry as BufferGeometry).dispose();
        (part.material as MeshBasicMaterial).dispose();
      }
      if (part instanceof Sprite) {
        part.material.map?.dispose();
        part.material.dispose();
      }
    });
    this.renderer.dispose();
  }

  private marker(): Sprite {
    const sprite = new Sprite(
      new SpriteMaterial({ transparent: true, depthTest: false, depthWrite: false, sizeAttenuation: false }),
    );
    this.scene.add(sprite);
    return sprite;
  }

  private exchange(sprite: Sprite, texture: CanvasTexture): void {
    sprite.material.map?.dispose();
    sprite.material.map = texture;
    sprite.material.needsUpdate = true;
  }

  private placeMarker(sprite: Sprite, vectors: Float64Array, label: number, order: number): void {
    const [x, y, z] = world(vectors[3 * label]!, vectors[3 * label + 1]!, vectors[3 * label + 2]!);
    sprite.position.set(x, y, z);
    const towards = sprite.position.dot(this.camera.position) / this.camera.position.length();
    const behind = this.isBehind(towards);
    sprite.material.opacity = behind ? 0.55 : 1;
    // The far side first, then by nearness.
    sprite.renderOrder = (behind ? 0.5 : order) + towards / 4;
    // A sprite without attenuation is as large as it would be at distance 1.
    const side = (MARKER / this.size) * 2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    sprite.scale.set(side, side, 1);
  }

  /** Whether a point of the sphere is on its far side; `towards` is its part in the direction of the camera. */
  private isBehind(towards: number): boolean {
    return towards < 1 / this.camera.position.length();
  }

  private placeQueue(trainer: Trainer, shown: number | null): void {
    const { queue } = trainer;
    const geometry = this.queue.geometry;
    const positions = geometry.getAttribute("position") as BufferAttribute;
    const tints = geometry.getAttribute("tint") as BufferAttribute;
    const strengths = geometry.getAttribute("strength") as BufferAttribute;
    const marks = geometry.getAttribute("marked") as BufferAttribute;
    const span = Math.max(1, queue.limit - 1);
    for (let age = 0; age < queue.length; age += 1) {
      // The oldest first, so that newer ones lie on top.
      const place = queue.length - 1 - age;
      const reach = BAND[0] + (BAND[1] - BAND[0]) * (age / span);
      const [x, y, z] = world(queue.at(age, 0), queue.at(age, 1), queue.at(age, 2));
      positions.setXYZ(place, reach * x, reach * y, reach * z);
      const label = queue.label(age);
      const tint = TINTS[label]!;
      tints.setXYZ(place, tint.r, tint.g, tint.b);
      const marked = label === shown;
      strengths.setX(place, 1 - (marked ? 0.5 : 0.8) * (age / span));
      marks.setX(place, marked ? 1 : 0);
    }
    for (const attribute of [positions, tints, strengths, marks]) attribute.needsUpdate = true;
    geometry.setDrawRange(0, queue.length);
  }

  /** The great circle from the query that is looked at to its key. */
  private placeLink(trainer: Trainer, shown: number | null): void {
    this.link.visible = shown !== null;
    if (shown === null) return;
    const positions = this.link.geometry.getAttribute("position") as BufferAttribute;
    for (const [index, vectors] of [trainer.queries, trainer.keys].entries()) {
      positions.setXYZ(index, ...world(vectors[3 * shown]!, vectors[3 * shown + 1]!, vectors[3 * shown + 2]!));
    }
    positions.needsUpdate = true;
  }

  /** Along the great circle from the query that is looked at to where the next step would put it. */
  private placeArrow(trainer: Trainer, look: SphereLook): void {
    this.arrow.visible = false;
    if (look.shown === null) return;
    const { direction, angle } = trainer.jump(look.shown, look);
    if (angle < ARROW.least) return;
    this.arrow.visible = true;
    const row = 3 * look.shown;
    const from = new Vector3(...world(trainer.queries[row]!, trainer.queries[row + 1]!, trainer.queries[row + 2]!));
    const along = new Vector3(...world(direction[0]!, direction[1]!, direction[2]!));
    const across = from.clone().cross(along);
    const positions = this.arrow.geometry.getAttribute("position") as BufferAttribute;
    const head = Math.min(ARROW.length, angle / 2);
    const put = (index: number, at: number, aside: number): void => {
      const [c, s] = [Math.cos(at), Math.sin(at)];
      const [x, y, z] = [
        c * from.x + s * along.x + aside * across.x,
        c * from.y + s * along.y + aside * across.y,
        c * from.z + s * along.z + aside * across.z,
      ];
      positions.setXYZ(index, x, y, z);
    };
    for (let piece = 0; piece <= ARROW.pieces; piece += 1) {
      const at = ((angle - head) * piece) / ARROW.pieces;
      put(2 * piece, at, ARROW.shaft);
      put(2 * piece + 1, at, -ARROW.shaft);
    }
    const last = 2 * (ARROW.pieces + 1);
    const width = (ARROW.head * head) / ARROW.length;
    put(last, angle - head, width);
    put(last + 1, angle - head, -width);
    put(last + 2, angle, 0);
    positions.needsUpdate = true;
    const towards = from.dot(this.camera.position) / this.camera.position.length();
    this.arrow.material.opacity = this.isBehind(towards) ? 0.4 : 1;
    this.arrow.renderOrder = 19;
  }
}

const TINTS = CLASS_COLORS.map(({ fill }) => new Color(fill));

/** Our third axis points up, which is the second one of three.js. */
function world(x: number, y: number, z: number): [number, number, number] {
  return [y, z, x];
}

function emptyGeometry(points: number): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * points), 3).setUsage(DynamicDrawUsage));
  return geometry;
}

/** The shaft as a ribbon of two triangles a piece, and the head as one. */
function arrowGeometry(): BufferGeometry {
  const triangles: number[] = [];
  for (let piece = 0; piece < ARROW.pieces; piece += 1) {
    const corner = 2 * piece;
    triangles.push(corner, corner + 1, corner + 2, corner + 1, corner + 3, corner + 2);
  }
  const last = 2 * (ARROW.pieces + 1);
  triangles.push(last, last + 1, last + 2);
  return emptyGeometry(last + 3).setIndex(triangles);
}

function queueGeometry(): BufferGeometry {
  const geometry = emptyGeometry(LARGEST_QUEUE);
  for (const [name, size] of [
    ["tint", 3],
    ["strength", 1],
    ["marked", 1],
  ] as const) {
    const values = new Float32Array(size * LARGEST_QUEUE);
    geometry.setAttribute(name, new BufferAttribute(values, size).setUsage(DynamicDrawUsage));
  }
  return geometry;
}

function queueMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { scale: { value: 1 }, ink: { value: new Color() } },
    transparent: true,
    depthWrite: false,
    depthTest: false,
  });
}

/** Meridians and parallels every 30 degrees. */
function gridGeometry(): BufferGeometry {
  const points: number[] = [];
  const line = (at: (share: number) => [number, number, number]): void => {
    for (let step = 0; step < SEGMENTS; step += 1) points.push(...at(step / SEGMENTS), ...at((step + 1) / SEGMENTS));
  };
  for (let meridian = 0; meridian < 6; meridian += 1) {
    const longitude = (meridian * Math.PI) / 6;
    line((share) => {
      const angle = 2 * Math.PI * share;
      return [Math.cos(angle) * Math.sin(longitude), Math.sin(angle), Math.cos(angle) * Math.cos(longitude)];
    });
  }
  for (let parallel = -2; parallel <= 2; parallel += 1) {
    const latitude = (parallel * Math.PI) / 6;
    line((share) => {
      const angle = 2 * Math.PI * share;
      return [Math.cos(latitude) * Math.sin(angle), Math.sin(latitude), Math.cos(latitude) * Math.cos(angle)];
    });
  }
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
}

/** A circle that always faces the camera; it lies where the sphere's edge is seen. */
function outlineGeometry(): BufferGeometry {
  const points = Array.from({ length: SEGMENTS }, (_, step) => {
    const angle = (2 * Math.PI * step) / SEGMENTS;
    return [Math.cos(angle), Math.sin(angle), 0];
  });
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
}

function texture(draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2 * MARKER;
  const context = canvas.getContext("2d");
  if (context !== null) {
    context.scale(2, 2);
    context.translate(MARKER / 2, MARKER / 2);
    draw(context);
  }
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  return made;
}

function discTexture(label: number, colors: Colors): CanvasTexture {
  const { fill, text } = CLASS_COLORS[label]!;
  return texture((context) => {
    context.beginPath();
    context.arc(0, 0, 10.5, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = colors.paper;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = text;
    context.font = '600 12px "Inter", sans-serif';
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(letter(label), 0, 0.5);
  });
}

function ringTexture(label: number, colors: Colors): CanvasTexture {
  return texture((context) => {
    context.beginPath();
    context.arc(0, 0, 14, 0, 2 * Math.PI);
    context.strokeStyle = colors.paper;
    context.lineWidth = 5;
    context.stroke();
    context.strokeStyle = CLASS_COLORS[label]!.fill;
    context.lineWidth = 3;
    context.stroke();
  });
}
