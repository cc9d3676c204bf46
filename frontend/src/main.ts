/** Mounts the islands that the page asks for. Each is loaded only where it is used. */

import { loaded } from "./lib/loaded";
import "./styles/main.css";

interface Island {
  mountIsland(target: HTMLElement): void;
}

const ISLANDS: Record<string, () => Promise<Island>> = {
  "catalogue-filter": () => import("./islands/catalogue-filter"),
  chart: () => import("./islands/charts"),
  "choose-two": () => import("./islands/choose-two"),
  desk: () => import("./islands/desk"),
  lab: () => import("./islands/labs"),
  mathematics: () => import("./islands/mathematics"),
  progress: () => import("./islands/progress"),
  report: () => import("./islands/report"),
  sort: () => import("./islands/sort"),
  theme: () => import("./islands/theme"),
  verification: () => import("./islands/verification"),
  workbench: () => import("./islands/workbench"),
};

for (const target of document.querySelectorAll<HTMLElement>("[data-island]")) {
  const load = ISLANDS[target.dataset["island"] ?? ""];
  if (load === undefined) continue;
  loaded(load).then(
    (island) => island.mountIsland(target),
    (error: unknown) =>
      console.error(`The part "${target.dataset["island"]}" of this page could not be loaded.`, error),
  );
}
