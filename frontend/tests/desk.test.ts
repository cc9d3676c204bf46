import { describe, expect, it } from "vitest";
import {
  errorCounts,
  firstText,
  grouped,
  languageOf,
  runWords,
  toMend,
  type Checked,
  type Complaint,
  type Run,
} from "../src/lib/desk";

function complaint(change: Partial<Complaint>): Complaint {
  return { file: "problem.toml", reason: "a", remedy: "b", line: null, severity: "error", ...change };
}

function run(change: Partial<Run>): Run {
  const urls = { url: "/v/", state_url: "/v/state/", cancel_url: "/v/cancel/" };
  const rest = { place: null, stage: "", done: 0, total: 0, verified: false, fault: "", complaints: [], seconds: null };
  return { id: "1", state: "queued", version: "new", ...rest, ...urls, ...change };
}

const checked: Checked = { version: "new", verified: false, published: false, complaints: [] };

describe("the list of files", () => {
  it("begins with the four that every package has, then goes folder by folder", () => {
    const paths = ["wrong/b.py", "checks/test_a.py", "reference.py", "wrong/a.py", "problem.toml", "mutants.toml"];
    expect(grouped([...paths, "starter.py", "statement.md"])).toEqual([
      { folder: "", paths: ["problem.toml", "statement.md", "starter.py", "reference.py", "mutants.toml"] },
      { folder: "checks", paths: ["checks/test_a.py"] },
      { folder: "wrong", paths: ["wrong/a.py", "wrong/b.py"] },
    ]);
  });

  it("knows languages by their endings", () => {
    expect(["a.py", "notes/a.md", "problem.toml", "a"].map(languageOf)).toEqual(["python", "markdown", "toml", "text"]);
  });

  it("starts a known mistake with its block", () => {
    expect(firstText("wrong/a.py")).toContain("# /// mistake\n");
    expect(firstText("correct/a.py")).toBe("");
  });
});

describe("what there is to mend", () => {
  it("is told once, errors first", () => {
    const warning = complaint({ severity: "warning", reason: "w" });
    const error = complaint({ reason: "e", line: 3 });
    const found = run({ state: "finished", complaints: [error, complaint({ reason: "found by running" })] });
    const all = toMend({ ...checked, complaints: [warning, error] }, found);
    expect(all.map(({ reason }) => reason)).toEqual(["e", "found by running", "w"]);
  });

  it("leaves out what was found of another text", () => {
    const older = run({ state: "finished", version: "old", complaints: [complaint({})] });
    expect(toMend(checked, older)).toEqual([]);
  });

  it("is counted by file, errors alone", () => {
    const counts = errorCounts([complaint({}), complaint({ line: 2 }), complaint({ file: "a", severity: "warning" })]);
    expect([...counts]).toEqual([["problem.toml", 2]]);
  });
});

describe("how far a verification is", () => {
  it.each([
    [{ place: 1 }, "Waiting for a worker"],
    [{ place: 3 }, "Waiting, number 3 in line"],
    [{ state: "running" as const }, "Starting"],
    [{ state: "running" as const, stage: "mutants", done: 3, total: 9 }, "mutants: 3 of 9"],
    [{ state: "finished" as const, verified: true }, "Verified"],
    [{ state: "finished" as const }, "Not verified"],
    [{ state: "cancelled" as const }, "Cancelled"],
    [{ state: "failed" as const, fault: "no sandbox" }, "It failed, and not because of the package: no sandbox"],
  ])("%j", (change, words) => {
    expect(runWords(run(change))).toBe(words);
  });
});
