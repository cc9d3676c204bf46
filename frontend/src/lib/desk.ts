/** The editor of a package: what the server sends it, and how files and complaints are arranged. */

import * as v from "valibot";

const ComplaintSchema = v.object({
  file: v.string(),
  reason: v.string(),
  remedy: v.string(),
  line: v.nullish(v.number(), null),
  severity: v.picklist(["error", "warning"]),
});
export type Complaint = v.InferOutput<typeof ComplaintSchema>;

export const FileSchema = v.object({ path: v.string(), text: v.string(), revision: v.number() });
export type PackageFile = v.InferOutput<typeof FileSchema>;

/** What is known of the draft as it is saved. */
export const CheckedSchema = v.object({
  version: v.string(),
  verified: v.boolean(),
  published: v.boolean(),
  complaints: v.array(ComplaintSchema),
});
export type Checked = v.InferOutput<typeof CheckedSchema>;

/** A verification: how far it is, and its complaints when it is over. */
export const RunSchema = v.object({
  id: v.string(),
  state: v.picklist(["queued", "running", "finished", "cancelled", "failed"]),
  place: v.nullish(v.number(), null),
  stage: v.string(),
  done: v.number(),
  total: v.number(),
  version: v.string(),
  verified: v.boolean(),
  fault: v.string(),
  complaints: v.array(ComplaintSchema),
  seconds: v.nullish(v.number(), null),
  url: v.string(),
  state_url: v.string(),
  cancel_url: v.string(),
});
export type Run = v.InferOutput<typeof RunSchema>;

export const PreviewSchema = v.object({ html: v.string() });

/** What the page of the editor carries. */
export const DeskDataSchema = v.object({
  slug: v.string(),
  files: v.array(v.object({ path: v.string(), revision: v.number() })),
  opened: v.nullish(FileSchema, null),
  urls: v.object({
    file: v.string(),
    complaints: v.string(),
    preview: v.string(),
    verify: v.string(),
    publish: v.string(),
    zip: v.string(),
    overview: v.string(),
    edit: v.string(),
  }),
  run: v.nullish(RunSchema, null),
});
export type DeskData = v.InferOutput<typeof DeskDataSchema>;

export function isOver(run: Run): boolean {
  return run.state !== "queued" && run.state !== "running";
}

/** How far a verification is, in words. */
export function runWords(run: Run): string {
  switch (run.state) {
    case "queued":
      return run.place === null || run.place <= 1 ? "Waiting for a worker" : `Waiting, number ${run.place} in line`;
    case "running":
      return run.total === 0 ? run.stage || "Starting" : `${run.stage}: ${run.done} of ${run.total}`;
    case "finished":
      return run.verified ? "Verified" : "Not verified";
    case "cancelled":
      return "Cancelled";
    case "failed":
      return `It failed, and not because of the package: ${run.fault}`;
  }
}

const FIRST = ["problem.toml", "statement.md", "starter.py", "reference.py"];

interface Group {
  /** The folder, or an empty text for what lies in none. */
  readonly folder: string;
  readonly paths: readonly string[];
}

/** The files as they are listed: the four that every package has, then folder by folder. */
export function grouped(paths: readonly string[]): Group[] {
  const groups = new Map<string, string[]>([["", []]]);
  const rank = (path: string): number => (FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length);
  for (const path of [...paths].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [path]);
    else group.push(path);
  }
  return [...groups].map(([folder, group]) => ({ folder, paths: group }));
}

/** The name of a file without its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export type Language = "python" | "markdown" | "toml" | "text";

export function languageOf(path: string): Language {
  if (path.endsWith(".py")) return "python";
  if (path.endsWith(".md")) return "markdown";
  return path.endsWith(".toml") ? "toml" : "text";
}

/**
 * Everything there is to mend, errors first: what can be told of the text at once, and what a verification of the same
 * text has found. One of another text counts for nothing, since its lines may have moved.
 */
export function toMend(checked: Checked | null, run: Run | null): Complaint[] {
  if (checked === null) return [];
  const found = run !== null && run.version === checked.version ? run.complaints : [];
  const all = new Map<string, Complaint>();
  for (const complaint of [...checked.complaints, ...found]) {
    const key = JSON.stringify([complaint.file, complaint.line, complaint.reason]);
    if (!all.has(key)) all.set(key, complaint);
  }
  const weight = (complaint: Complaint): number => (complaint.severity === "error" ? 0 : 1);
  return [...all.values()].sort((a, b) => weight(a) - weight(b));
}

/** How many errors each file has; a complaint of a whole folder counts for none. */
export function errorCounts(complaints: readonly Complaint[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { file, severity } of complaints) {
    if (severity === "error") counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

/** What a new file of a folder begins with. */
export function firstText(path: string): string {
  if (path.startsWith("wrong/") && path.endsWith(".py")) {
    return '# /// mistake\n# title = ""\n# fails = [""]\n# hint = ""\n# ///\n';
  }
  return "";
}
