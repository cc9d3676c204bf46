/** The files of a draft: each is read when it is opened, saved while somebody writes, and never overwrites another's. */

import { type Api, Refusal } from "../../lib/api";
import { FileSchema, firstText, type DeskData, type PackageFile } from "../../lib/desk";
import { retryDelay } from "../../lib/polling";

const PAUSE_MS = 700;
/** Browsers refuse to finish larger requests after the page is left. */
const LEAVING_BYTES = 60_000;

export type Standing =
  | "saved"
  | "changed"
  | "saving"
  /** Somebody else has saved another text since this one was read. */
  | "conflict"
  /** Somebody else has removed or renamed it. */
  | "gone"
  /** The server doesn't take it: `refusal` says why. */
  | "refused"
  | "offline";

interface Entry {
  revision: number;
  /** Null until it is opened. */
  text: string | null;
  standing: Standing;
  refusal: string;
}

interface Options {
  readonly api: Api;
  readonly data: DeskData;
  /** Called when the server has something new. */
  readonly onSaved: () => void;
  /** Called when a text has come that nobody wrote in this editor. */
  readonly onReplaced: (path: string) => void;
}

export class Files {
  entries: Record<string, Entry> = $state({});
  savedAt = $state(0);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy: Promise<void> | null = null;
  private failures = 0;

  constructor(private readonly options: Options) {
    for (const { path, revision } of options.data.files) {
      this.entries[path] = { revision, text: null, standing: "saved", refusal: "" };
    }
    if (options.data.opened !== null) this.take(options.data.opened);
    window.addEventListener("online", () => void this.flush());
    window.addEventListener("pagehide", () => this.leave());
    window.addEventListener("beforeunload", (event) => {
      if (this.unsaved.length > 0) event.preventDefault();
    });
  }

  get paths(): string[] {
    return Object.keys(this.entries);
  }

  /** Those that the server does not have as they are here. */
  get unsaved(): string[] {
    return this.paths.filter((path) => this.entries[path]?.standing !== "saved");
  }

  /** The text of a file, read if it is not known yet. */
  async open(path: string): Promise<string> {
    const known = this.entries[path]?.text;
    if (known !== null && known !== undefined) return known;
    return this.take(await this.read(path)).text;
  }

  change(path: string, text: string): void {
    const entry = this.entries[path];
    if (entry === undefined || entry.text === text) return;
    entry.text = text;
    if (entry.standing === "conflict" || entry.standing === "gone") return;
    entry.standing = "changed";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), PAUSE_MS);
  }

  /** Saves what is not saved yet, one file after the other. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    while (this.busy !== null) await this.busy;
    this.busy = this.saveAll();
    await this.busy;
    this.busy = null;
  }

  async add(path: string): Promise<void> {
    this.take(await this.put(path, firstText(path), 0));
    this.options.onSaved();
  }

  async rename(path: string, to: string): Promise<void> {
    await this.flush();
    const revision = this.entries[path]?.revision ?? 0;
    const file = await this.options.api.send(this.url, FileSchema, "POST", { path, to, revision });
    delete this.entries[path];
    this.take(file);
    this.options.onSaved();
  }

  async remove(path: string): Promise<void> {
    await this.flush();
    const revision = this.entries[path]?.revision ?? 0;
    await this.options.api.send(this.url, FileSchema, "DELETE", { path, revision });
    delete this.entries[path];
    this.options.onSaved();
  }

  /** Ends a conflict: with the text of the others, or with the one that stands here. */
  async settle(path: string, keep: "mine" | "theirs"): Promise<void> {
    const mine = this.entries[path]?.text ?? "";
    const gone = this.entries[path]?.standing === "gone";
    if (keep === "theirs" && gone) {
      delete this.entries[path];
    } else if (keep === "theirs") {
      this.take(await this.read(path));
    } else {
      const revision = gone ? 0 : (await this.read(path)).revision;
      this.entries[path] = { revision, text: mine, standing: "changed", refusal: "" };
      await this.flush();
      return;
    }
    this.options.onReplaced(path);
    this.options.onSaved();
  }

  private get url(): string {
    return this.options.data.urls.file;
  }

  private read(path: string): Promise<PackageFile> {
    return this.options.api.send(`${this.url}?path=${encodeURIComponent(path)}`, FileSchema, "GET");
  }

  private put(path: string, text: string, revision: number, leaving = false): Promise<PackageFile> {
    return this.options.api.send(this.url, FileSchema, "PUT", { path, text, revision }, leaving);
  }

  private take(file: PackageFile): PackageFile {
    this.entries[file.path] = { revision: file.revision, text: file.text, standing: "saved", refusal: "" };
    return file;
  }

  private async saveAll(): Promise<void> {
    const waiting = this.paths.filter((path) => ["changed", "offline"].includes(this.entries[path]?.standing ?? ""));
    for (const path of waiting) await this.save(path);
    if (waiting.length > 0 && waiting.some((path) => this.entries[path]?.standing === "saved")) this.options.onSaved();
  }

  private async save(path: string): Promise<void> {
    const entry = this.entries[path];
    if (entry === undefined || entry.text === null) return;
    const sent = entry.text;
    entry.standing = "saving";
    try {
      const file = await this.put(path, sent, entry.revision);
      this.failures = 0;
      this.savedAt = Date.now();
      entry.revision = file.revision;
      entry.refusal = "";
      entry.standing = entry.text === sent ? "saved" : "changed";
    } catch (error) {
      this.failed(entry, error);
    }
  }

  private failed(entry: Entry, error: unknown): void {
    if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
      entry.standing = error.code === "conflict" ? "conflict" : error.code === "gone" ? "gone" : "refused";
      entry.refusal = error.message;
      return;
    }
    entry.standing = "offline";
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), retryDelay(this.failures));
  }

  private leave(): void {
    for (const path of this.paths) {
      const entry = this.entries[path];
      if (entry?.standing !== "changed" || entry.text === null) continue;
      if (new Blob([JSON.stringify(entry.text)]).size > LEAVING_BYTES) continue;
      this.put(path, entry.text, entry.revision, true).then(
        (file) => {
          entry.revision = file.revision;
          entry.standing = "saved";
        },
        () => undefined,
      );
    }
  }
}
