/** The editor of a package, drawn over the server's plain form. */

import { mount } from "svelte";
import { DeskDataSchema } from "../../lib/desk";
import { takeOver } from "../handover";
import { embedded } from "../page";
import Desk from "./Desk.svelte";

export function mountIsland(target: HTMLElement): void {
  const data = embedded("desk-data", DeskDataSchema);
  const handover = takeOver(target.querySelector("textarea[name=text]"));
  target.replaceChildren();
  target.classList.add("desk--live");
  mount(Desk, { target, props: { data, handover } });
}
