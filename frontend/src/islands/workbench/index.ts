/** The right side of the problem page: editor, bar and report, drawn over the server's plain form. */

import { mount } from "svelte";
import { ProblemDataSchema } from "../../lib/schemas";
import { takeOver } from "../handover";
import { embedded } from "../page";
import Workbench from "./Workbench.svelte";

export function mountIsland(target: HTMLElement): void {
  const root = target.closest<HTMLElement>(".problem");
  if (root === null) throw new Error("The workbench stands outside of a problem page.");
  const data = embedded("problem-data", ProblemDataSchema);
  const handover = takeOver(target.querySelector("textarea[name=source]"));
  target.replaceChildren();
  root.classList.add("problem--live");
  mount(Workbench, { target, props: { data, handover, root, host: target } });
}
