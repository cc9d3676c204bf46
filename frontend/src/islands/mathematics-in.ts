/** KaTeX is loaded when the first formula is met, and draws through the DOM: the policy forbids style attributes. */

import { loaded } from "../lib/loaded";

const MATH = ".math:not(.math-drawn)";
/** A formula in a line, of so many characters of TeX at most, stands whole on it; a longer one may be broken. */
const WHOLE = 24;

/**
 * Takes the comma after a formula into its last part. A line may break after any box, and a formula is made of boxes: the
 * comma would begin the next line. Only in texts of authors, where no component owns the words.
 */
function keepSign(element: HTMLElement): void {
  const next = element.nextSibling;
  if (!(next instanceof Text) || element.closest(".prose") === null || element.closest(".lab--live") !== null) return;
  const sign = /^[,.;:!?)]+/.exec(next.data)?.[0];
  const last = element.querySelector(".katex-html > .base:last-child");
  if (sign === undefined || last === null) return;
  next.data = next.data.slice(sign.length);
  const kept = document.createElement("span");
  kept.className = "math-sign";
  kept.textContent = sign;
  last.append(kept);
}

async function draw(elements: readonly HTMLElement[]): Promise<void> {
  const [{ default: katex }] = await loaded(() => Promise.all([import("katex"), import("katex/dist/katex.min.css")]));
  for (const element of elements) {
    if (element.classList.contains("math-drawn")) continue;
    const tex = element.textContent ?? "";
    katex.render(tex, element, {
      displayMode: element.classList.contains("block"),
      throwOnError: false,
      strict: "ignore",
    });
    element.classList.add("math-drawn");
    element.classList.toggle("math-whole", tex.length <= WHOLE);
    keepSign(element);
    // What is wider than its place scrolls, and so must be reached with the keyboard.
    if (element.scrollWidth > element.clientWidth && element.classList.contains("block")) element.tabIndex = 0;
  }
}

/** Draws every formula inside `root`; without KaTeX the TeX stays readable. */
export async function drawMathematics(root: HTMLElement): Promise<void> {
  const elements = [...root.querySelectorAll<HTMLElement>(MATH)];
  if (elements.length === 0) return;
  try {
    await draw(elements);
  } catch (error) {
    document.documentElement.classList.add("math-plain");
    console.error("The mathematics could not be drawn; it is shown as TeX.", error);
  }
}
