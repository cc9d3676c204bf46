/** The page's colors for what is drawn on a canvas, and when they change. */

const TOKENS = ["paper", "surface", "ink", "ink-muted", "rule", "rule-strong", "accent", "failed"] as const;

export type Colors = Readonly<Record<(typeof TOKENS)[number], string>>;

/** Okabe and Ito's colors, which are told apart with any color vision; the letters stand on them. */
export const CLASS_COLORS = [
  { fill: "#e69f00", text: "#000000" },
  { fill: "#56b4e9", text: "#000000" },
  { fill: "#009e73", text: "#000000" },
  { fill: "#0072b2", text: "#ffffff" },
  { fill: "#d55e00", text: "#000000" },
  { fill: "#cc79a7", text: "#000000" },
] as const;

/** The tokens of `tokens.css` as they are seen inside of `host`. */
export function colorsOf(host: HTMLElement): Colors {
  const probe = document.createElement("span");
  probe.hidden = true;
  host.append(probe);
  const found = TOKENS.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(found) as Colors;
}

/** Calls `changed` when the theme does, or the page goes to a printer. Returns how to stop that. */
export function onColorChange(changed: () => void): () => void {
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const queries = [matchMedia("(prefers-color-scheme: dark)"), matchMedia("print")];
  for (const query of queries) query.addEventListener("change", changed);
  return () => {
    watch.disconnect();
    for (const query of queries) query.removeEventListener("change", changed);
  };
}

export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
