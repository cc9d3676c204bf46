/** Observable Plot in the page's type and colors. */

import { plot, type PlotOptions } from "@observablehq/plot";

export const ACCENT = "var(--accent)";
export const CONTEXT = "var(--rule-strong)";
export const INK = "var(--ink)";
export const MUTED = "var(--ink-muted)";
export const RULE = "var(--rule)";

/** A drawn figure of so many pixels. Its colors are tokens: they follow the theme without drawing again. */
export function figure(options: PlotOptions): Element {
  const drawn = plot({
    ...options,
    className: "plot",
    style: { background: "none", color: MUTED, overflow: "visible", fontSize: "12px", fontFamily: "var(--font-ui)" },
  });
  // Its own style sheet would be refused by the security policy; `labs.css` has the same rules.
  for (const style of drawn.querySelectorAll("style")) style.remove();
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}
