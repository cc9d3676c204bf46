/** Draws the mathematics of statements and notes, which arrive as TeX in `.math` elements. */

import { drawMathematics } from "./mathematics-in";

export function mountIsland(target: HTMLElement): void {
  void drawMathematics(target);
}
