/** The dividers of the problem page: their positions are shares of the space, kept per browser. */

export interface Layout {
  /** Share of the width that the statement takes. */
  readonly reading: number;
  /** Share of the height that the editor takes. */
  readonly editor: number;
}

export const DEFAULT_LAYOUT: Layout = { reading: 0.46, editor: 0.56 };

const BOUNDS = { reading: [0.25, 0.7], editor: [0.15, 0.85] } as const;

/** The smallest and largest share of a divider. */
export function bounds(divider: keyof Layout): readonly [number, number] {
  return BOUNDS[divider];
}

/** `share` kept inside the bounds, to a tenth of a percent. */
export function clampShare(divider: keyof Layout, share: number): number {
  const [least, most] = BOUNDS[divider];
  if (!Number.isFinite(share)) return DEFAULT_LAYOUT[divider];
  return Math.round(Math.min(most, Math.max(least, share)) * 1000) / 1000;
}

/** Where a key moves a divider, or null when the key has no meaning there. `axis` is the direction of movement. */
export function keyedShare(
  divider: keyof Layout,
  share: number,
  key: string,
  axis: "x" | "y",
  large: boolean,
): number | null {
  const [least, most] = BOUNDS[divider];
  const step = large ? 0.1 : 0.02;
  const [back, forward] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  if (key === back) return clampShare(divider, share - step);
  if (key === forward) return clampShare(divider, share + step);
  if (key === "Home") return least;
  if (key === "End") return most;
  if (key === "Enter") return DEFAULT_LAYOUT[divider];
  return null;
}

/** The layout that was stored; anything unreadable gives the default. */
export function parseLayout(stored: string | null): Layout {
  if (stored === null) return DEFAULT_LAYOUT;
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null) return DEFAULT_LAYOUT;
    const share = (name: keyof Layout): number => {
      const number = (value as Record<string, unknown>)[name];
      return typeof number === "number" ? clampShare(name, number) : DEFAULT_LAYOUT[name];
    };
    return { reading: share("reading"), editor: share("editor") };
  } catch {
    return DEFAULT_LAYOUT;
  }
}
