/** Follows long work on the server, and loads the page again when it has ended: then there is something to decide. */

import * as v from "valibot";
import { retryDelay } from "../lib/polling";
import { ProgressSchema } from "../lib/progress";

const EVERY_MS = 1_500;

export function mountIsland(target: HTMLElement): void {
  const url = target.dataset["url"];
  const sentence = target.querySelector("[role=status]");
  const bar = target.querySelector("progress");
  if (url === undefined || sentence === null || bar === null) return;
  let failures = 0;
  let stage: string | null = null;
  const ask = async (): Promise<void> => {
    try {
      const response = await fetch(url, { credentials: "same-origin", headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const progress = v.parse(ProgressSchema, await response.json());
      failures = 0;
      stage ??= progress.stage;
      if (!progress.at_work || progress.stage !== stage) return location.reload();
      if (sentence.textContent !== progress.sentence) sentence.textContent = progress.sentence;
      bar.max = Math.max(1, progress.total);
      bar.value = progress.done;
    } catch {
      failures += 1;
    }
    setTimeout(() => void ask(), failures > 0 ? retryDelay(failures) : EVERY_MS);
  };
  setTimeout(() => void ask(), EVERY_MS);
}
