/** A round step of which `spread` holds two to four: 1, 2 or 5 times a power of ten. */
function roundStep(spread: number): number {
  const rough = Math.max(spread, 1e-9) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * (1 - 1e-9)) ?? rough;
}

/** Ticks of an axis that starts at 0: round numbers, three to six of them, the last at or above `most`. */
export function niceTicks(most: number): number[] {
  return ticksBetween(0, most);
}

/** Round numbers, three to six of them, the first at or below `least`, the last at or above `most`. */
export function ticksBetween(least: number, most: number): number[] {
  const step = roundStep(most - least);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
