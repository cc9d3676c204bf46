/** The right side of the problem page: editor, bar and report, drawn over the server's plain form. */

import { mount } from "svelte";
import { ProblemDataSchema } from "../../lib/schemas";
import { embedded } from "../page";
import Workbench from "./Workbench.svelte";

export function mountIsland(target: HTMLElement): void {
  const root = target.closest<HTMLElement>(".problem");
  if (root === null) throw new Error("The workbench stands outside of a problem page.");
  const data = embedded("problem-data", ProblemDataSchema);
  // What was typed into the plain form before this script came is not lost.
  const typed = target.querySelector<HTMLTextAreaElement>("textarea[name=source]");
  if (typed !== null && typed.value !== typed.defaultValue) data.source = typed.value;
  target.replaceChildren();
  root.classList.add("problem--live");
  mount(Workbench, { target, props: { data, root, host: target } });
}
