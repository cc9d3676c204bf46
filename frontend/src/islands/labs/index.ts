/** Labs: interactive figures that a package's Markdown places by name. Each is loaded only where it stands. */

import { type Component, mount } from "svelte";
import "../../styles/charts.css";
import "../../styles/instruments.css";
import * as v from "valibot";
import { placedSettings, type Settings } from "../../lib/labs/settings";
import { loaded } from "../../lib/loaded";
import { drawMathematics } from "../mathematics-in";

export interface LabProps {
  /** As the page placed it. */
  placed: Settings;
  /** What its parameters in the address begin with. */
  prefix: string;
  /** What the author wrote for where it can't be drawn. */
  fallback: readonly Node[];
}

const LABS: Record<string, () => Promise<{ default: Component<LabProps> }>> = {
  circle: () => import("./CircleLab.svelte"),
  sphere: () => import("./SphereLab.svelte"),
  "one-positive": () => import("./OnePositive.svelte"),
  temperature: () => import("./Temperature.svelte"),
  "dictionary-size": () => import("./DictionarySize.svelte"),
  "false-negatives": () => import("./FalseNegatives.svelte"),
};

export function mountIsland(target: HTMLElement): void {
  show(target).catch((error: unknown) => {
    console.error("The lab could not be shown.", error);
    const message = document.createElement("p");
    message.className = "note";
    message.dataset["tone"] = "failed";
    message.textContent = "This lab could not be loaded. Reload the page to try again.";
    target.prepend(message);
    target.classList.add("lab--live");
  });
}

async function show(target: HTMLElement): Promise<void> {
  const name = target.dataset["lab"] ?? "";
  const load = LABS[name];
  if (load === undefined) throw new Error(`There is no lab "${name}".`);
  const placed = placedSettings(name, v.parse(v.unknown(), JSON.parse(target.dataset["settings"] ?? "{}")));
  const { default: lab } = await loaded(load);
  const fallback = [...target.childNodes];
  target.replaceChildren();
  target.classList.add("lab--live");
  mount(lab, { target, props: { placed, prefix: prefixOf(target, name), fallback } });
  await drawMathematics(target);
}

/** The name of the lab; for the second of that name on a page, `circle-2`. */
function prefixOf(target: HTMLElement, name: string): string {
  const same = [...document.querySelectorAll(`[data-island="lab"][data-lab="${name}"]`)];
  const place = same.indexOf(target);
  return place === 0 ? name : `${name}-${place + 1}`;
}
