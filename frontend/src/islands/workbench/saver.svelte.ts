/** Saves the draft on the server while the learner types, and keeps a copy in the browser until the server has it. */

import { type Api, Refusal } from "../../lib/api";
import type { DraftStatus, LocalDraft } from "../../lib/drafts";
import { retryDelay } from "../../lib/polling";
import { storage } from "../page";

const PAUSE_MS = 800;
const LONGEST_WAIT_MS = 4_000;
/** Browsers refuse to finish larger requests after the page is left. */
const LEAVING_BYTES = 60_000;

interface Options {
  readonly api: Api;
  readonly url: string;
  readonly key: string;
  readonly signedIn: boolean;
  readonly savedAt: number | null;
}

export class Saver {
  status: DraftStatus = $state("untouched");
  savedAt = $state(0);
  refusal = $state("");

  private latest: string | null = null;
  private changedSince = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending = false;
  private failures = 0;

  constructor(private readonly options: Options) {
    if (options.savedAt !== null) {
      this.status = "saved";
      this.savedAt = options.savedAt;
    }
    window.addEventListener("online", () => void this.flush());
    window.addEventListener("pagehide", () => this.leave());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.leave();
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.atRisk()) event.preventDefault();
    });
  }

  /** To be called at every change of the code. */
  change(source: string): void {
    const local: LocalDraft = { source, changed_at: Date.now() };
    storage.write(this.options.key, JSON.stringify(local));
    if (!this.options.signedIn) {
      this.status = "browser";
      return;
    }
    if (this.latest === null) this.changedSince = Date.now();
    this.latest = source;
    if (this.status !== "offline") this.status = "changed";
    const left = this.changedSince + LONGEST_WAIT_MS - Date.now();
    this.schedule(Math.max(0, Math.min(PAUSE_MS, left)));
  }

  /** Saves now what is not saved yet. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    if (this.latest === null || this.sending) return;
    const source = this.latest;
    this.sending = true;
    this.status = "saving";
    try {
      await this.options.api.saveDraft(this.options.url, source);
      this.failures = 0;
      this.changedSince = Date.now();
      if (this.latest === source) this.settle();
    } catch (error) {
      this.failed(error);
    } finally {
      this.sending = false;
    }
    if (this.latest !== null && this.latest !== source) this.schedule(PAUSE_MS);
  }

  /** The server has the starter again: there is no draft any more. */
  async reset(): Promise<string> {
    const source = await this.options.api.resetDraft(this.options.url);
    this.settle();
    this.status = "untouched";
    return source;
  }

  /** Forgets the copy in the browser, and any change that was not sent. */
  settle(): void {
    clearTimeout(this.timer);
    this.latest = null;
    this.refusal = "";
    this.status = "saved";
    this.savedAt = Date.now();
    storage.remove(this.options.key);
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), delay);
  }

  private failed(error: unknown): void {
    if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
      this.status = "refused";
      this.refusal = error.message;
      return;
    }
    this.status = "offline";
    this.failures += 1;
    this.schedule(retryDelay(this.failures));
  }

  private leave(): void {
    if (this.latest === null || this.sending || this.tooLargeToLeave()) return;
    const source = this.latest;
    this.options.api.saveDraft(this.options.url, source, true).then(
      () => {
        if (this.latest === source) this.settle();
      },
      () => undefined,
    );
  }

  private tooLargeToLeave(): boolean {
    return this.latest !== null && new Blob([JSON.stringify(this.latest)]).size > LEAVING_BYTES;
  }

  private atRisk(): boolean {
    if (this.latest === null) return false;
    return this.status === "offline" || this.status === "refused" || this.tooLargeToLeave();
  }
}
