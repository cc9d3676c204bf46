/** A chart in place of the server's table, which it keeps below. */

import { mount } from "svelte";
import "../../styles/charts.css";
import { ChartSchema } from "../../lib/charts";
import { embedded } from "../page";
import WorkspaceChart from "./WorkspaceChart.svelte";

export function mountIsland(target: HTMLElement): void {
  const chart = embedded(target.dataset["chart"] ?? "", ChartSchema);
  const place = document.createElement("div");
  target.replaceWith(place);
  mount(WorkspaceChart, { target: place, props: { chart } });
}
