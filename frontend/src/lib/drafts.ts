/** Code that the server does not have yet is kept in the browser; this decides what happens with it on the next visit. */

import * as v from "valibot";

const LocalDraftSchema = v.object({ source: v.string(), changed_at: v.number() });
export type LocalDraft = v.InferOutput<typeof LocalDraftSchema>;

/** The copy that was stored in the browser; anything unreadable counts as none. */
export function parseLocalDraft(stored: string | null): LocalDraft | null {
  if (stored === null) return null;
  try {
    const result = v.safeParse(LocalDraftSchema, JSON.parse(stored));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

export type Opening =
  /** The server's code is shown; a local copy, if any, is of no use. */
  | { readonly kind: "server"; readonly source: string }
  /** Nobody else has code for this problem: the local copy is shown and saved. */
  | { readonly kind: "local"; readonly source: string }
  /** Both exist and differ: the server's code is shown, and the learner is asked about `other`. */
  | { readonly kind: "ask"; readonly source: string; readonly other: LocalDraft };

/** What the editor opens with. `savedAt` is the time of the server's draft, or null when it has none. */
export function chooseOpening(server: string, savedAt: string | null, local: LocalDraft | null): Opening {
  if (local === null || local.source === server) return { kind: "server", source: server };
  if (savedAt === null) return { kind: "local", source: local.source };
  if (local.changed_at <= Date.parse(savedAt)) return { kind: "server", source: server };
  return { kind: "ask", source: server, other: local };
}

/** Where the learner's code stands. */
export type DraftStatus =
  | "untouched"
  /** Changed, and the server does not have it yet. */
  | "changed"
  | "saving"
  | "saved"
  /** The server cannot be reached; a copy is in the browser. */
  | "offline"
  /** The server refused the draft: `refusal` says why. */
  | "refused"
  /** Nobody is signed in: the copy in the browser is all there is. */
  | "browser";

/** The saved state in words. `ago` is how long ago it was saved, already written. */
export function draftWords(status: DraftStatus, ago: string, refusal: string): string {
  switch (status) {
    case "untouched":
      return "";
    case "changed":
    case "saving":
      return "Saving";
    case "saved":
      return `Saved ${ago}`;
    case "offline":
      return "No connection: kept in this browser";
    case "refused":
      return `Not saved: ${refusal}`;
    case "browser":
      return "Kept in this browser";
  }
}
