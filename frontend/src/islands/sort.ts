/**
 * A table whose heads with `data-column`, the place of their cells, sort its rows: the largest first, then the smallest,
 * then as they were. Rows of sections give way while the rows are in an order that does not know sections.
 */

import { sorted } from "../lib/sorting";

type Order = "none" | "descending" | "ascending";
const NEXT: Record<Order, Order> = { none: "descending", descending: "ascending", ascending: "none" };

export function mountIsland(target: HTMLElement): void {
  const bodies = [...target.querySelectorAll("tbody")];
  const inBody = bodies.map((body) => [...body.rows]);
  const rows = inBody.flat().filter((row) => row.querySelector('th[scope="rowgroup"]') === null);
  const heads = [...target.querySelectorAll<HTMLElement>("thead th[data-column]")];

  const show = (head: HTMLElement, order: Order): void => {
    for (const other of heads) other.removeAttribute("aria-sort");
    if (order === "none") {
      bodies.forEach((body, place) => body.replaceChildren(...inBody[place]!));
      return;
    }
    head.setAttribute("aria-sort", order);
    const column = Number(head.dataset["column"]);
    const texts = rows.map((row) => row.cells[column]?.textContent?.trim() ?? "");
    const ordered = sorted(texts, order === "descending").map((place) => rows[place]!);
    bodies.forEach((body, place) => body.replaceChildren(...(place === 0 ? ordered : [])));
  };

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorts";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => show(head, NEXT[(head.getAttribute("aria-sort") ?? "none") as Order]));
  }
}
