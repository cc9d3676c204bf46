/** The page of a verification that goes on: how far it is. When it is over, the page comes anew with what was found. */

import { mount } from "svelte";
import { isOver, RunSchema } from "../../lib/desk";
import { embedded } from "../page";
import Verification from "./Verification.svelte";

export function mountIsland(target: HTMLElement): void {
  const run = embedded("verification-data", RunSchema);
  if (isOver(run)) return;
  target.replaceChildren();
  mount(Verification, { target, props: { run } });
}
