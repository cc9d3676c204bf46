/** One report on a page of its own: drawn over the server's plain version, and followed until the run has ended. */

import { mount } from "svelte";
import { StateSchema } from "../../lib/schemas";
import { embedded } from "../page";
import ReportPage from "./ReportPage.svelte";

export function mountIsland(target: HTMLElement): void {
  const initial = embedded("report-data", StateSchema);
  target.replaceChildren();
  mount(ReportPage, { target, props: { initial } });
}
