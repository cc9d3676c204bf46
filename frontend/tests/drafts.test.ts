import { describe, expect, it } from "vitest";
import { chooseOpening, draftWords, parseLocalDraft } from "../src/lib/drafts";

const SAVED_AT = "2026-01-02T03:04:05Z";
const LATER = Date.parse(SAVED_AT) + 60_000;
const EARLIER = Date.parse(SAVED_AT) - 60_000;

describe("the editor opens with", () => {
  it("the server's code when the browser has none, or the same", () => {
    expect(chooseOpening("a", SAVED_AT, null)).toEqual({ kind: "server", source: "a" });
    expect(chooseOpening("a", SAVED_AT, { source: "a", changed_at: LATER })).toEqual({ kind: "server", source: "a" });
  });

  it("the browser's copy when the server has no draft", () => {
    expect(chooseOpening("starter", null, { source: "b", changed_at: EARLIER })).toEqual({
      kind: "local",
      source: "b",
    });
  });

  it("the server's code when that is newer", () => {
    expect(chooseOpening("a", SAVED_AT, { source: "b", changed_at: EARLIER })).toEqual({ kind: "server", source: "a" });
  });

  it("a question when the browser's copy is newer than another draft", () => {
    const other = { source: "b", changed_at: LATER };
    expect(chooseOpening("a", SAVED_AT, other)).toEqual({ kind: "ask", source: "a", other });
  });
});

it("a copy that cannot be read counts as none", () => {
  expect(parseLocalDraft('{"source":"a","changed_at":1}')).toEqual({ source: "a", changed_at: 1 });
  for (const stored of [null, "", "{", "1", '{"source":1,"changed_at":1}']) expect(parseLocalDraft(stored)).toBe(null);
});

it("the saved state is said in words", () => {
  expect(draftWords("untouched", "", "")).toBe("");
  expect(draftWords("saving", "2 s ago", "")).toBe("Saving");
  expect(draftWords("saved", "2 s ago", "")).toBe("Saved 2 s ago");
  expect(draftWords("offline", "", "")).toBe("No connection: kept in this browser");
  expect(draftWords("browser", "", "")).toBe("Kept in this browser");
  expect(draftWords("refused", "", "The file is larger than 64 kB.")).toBe("Not saved: The file is larger than 64 kB.");
});
