/** KaTeX is loaded when the first formula is met, and draws through the DOM: the policy forbids style attributes. */

const MATH = ".math:not(.math-drawn)";

async function draw(elements: readonly HTMLElement[]): Promise<void> {
  const [{ default: katex }] = await Promise.all([import("katex"), import("katex/dist/katex.min.css")]);
  for (const element of elements) {
    if (element.classList.contains("math-drawn")) continue;
    const tex = element.textContent ?? "";
    katex.render(tex, element, {
      displayMode: element.classList.contains("block"),
      throwOnError: false,
      strict: "ignore",
    });
    element.classList.add("math-drawn");
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
