/** Filters the rows of the catalogue while the learner types. */

import { matchesQuery } from "../lib/catalogue";
import { counted } from "../lib/numbers";

export function mountIsland(target: HTMLElement): void {
  const input = target.querySelector("input");
  const list = document.getElementById(input?.getAttribute("aria-controls") ?? "");
  const status = target.querySelector("[role=status]");
  const none = document.querySelector<HTMLElement>("[data-no-match]");
  if (input === null || list === null) return;
  const rows = [...list.querySelectorAll<HTMLElement>("[data-filter-row]")];
  const apply = (): void => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !matchesQuery(row.textContent ?? "", input.value);
      if (!row.hidden) shown += 1;
    }
    if (none !== null) none.hidden = shown > 0;
    if (status !== null) status.textContent = input.value === "" ? "" : counted(shown, "problem");
  };
  target.hidden = false;
  input.addEventListener("input", apply);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || input.value === "") return;
    input.value = "";
    apply();
  });
  if (input.value !== "") apply();
}
