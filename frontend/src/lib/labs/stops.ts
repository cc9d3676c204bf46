/** The values that a slider stops at: few enough to hit with a thumb, and each a number that one would type. */

function range(from: number, to: number, step: number): number[] {
  const count = Math.round((to - from) / step);
  return Array.from({ length: count + 1 }, (_, index) => Number((from + index * step).toFixed(6)));
}

export const STOPS = {
  tau: [...range(0.01, 0.09, 0.01), ...range(0.1, 0.28, 0.02), ...range(0.3, 1, 0.05)],
  /** The same for the experiments, which go from 0.02 to 2. */
  wideTau: [...range(0.02, 0.09, 0.01), ...range(0.1, 0.3, 0.05), ...range(0.4, 2, 0.1)],
  m: [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999, 1],
  k: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  eta: [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1],
  speed: [1, 2, 5, 10, 20, 30, 60, 120, 240],
  cosine: range(-1, 1, 0.05),
  spread: range(0, 1, 0.02),
  trials: [100, 200, 500, 1000, 2000, 4000],
} as const;

/** The position of the stop that is nearest to `value`: where a slider stands that was set from elsewhere. */
export function nearestStop(stops: readonly number[], value: number): number {
  let nearest = 0;
  for (let index = 1; index < stops.length; index += 1) {
    if (Math.abs(stops[index]! - value) < Math.abs(stops[nearest]! - value)) nearest = index;
  }
  return nearest;
}
