import { describe, expect, it } from "vitest";
import {
  announcement,
  checksNotRun,
  countsInWords,
  explanation,
  failedChecks,
  isNewAttempt,
  lineIn,
  mergeState,
  nextOrder,
  passedBySection,
  statementUrl,
  tickGroups,
  tickLook,
  timing,
  toneOf,
} from "../src/lib/report";
import { check, planned, state } from "./examples";

const PLAN = [planned(0), planned(1, "queue"), planned(2)];

describe("states that arrive one after another", () => {
  it("add their checks, each once and in order, and keep the plan", () => {
    const first = state({ planned: PLAN, checks: [check(0), check(1)] });
    const second = state({ checks: [check(1, { status: "failed" }), check(2)], sections: [] });
    const merged = mergeState(first, second);
    expect(merged.checks.map((result) => [result.order, result.status])).toEqual([
      [0, "passed"],
      [1, "failed"],
      [2, "passed"],
    ]);
    expect(merged.planned).toEqual(PLAN);
    expect(merged.sections).toEqual(first.sections);
  });

  it("ask for the first check that is still unknown", () => {
    expect(nextOrder(null)).toBe(0);
    expect(nextOrder(state())).toBe(0);
    expect(nextOrder(state({ checks: [check(0), check(1)] }))).toBe(2);
  });

  it("start over when the judge began a new attempt, or another run is shown", () => {
    const old = state({ checks: [check(0)], planned: PLAN });
    const retried = state({ attempt: 2 });
    expect(isNewAttempt(old, retried)).toBe(true);
    expect(isNewAttempt(null, retried)).toBe(false);
    expect(mergeState(old, retried)).toBe(retried);
    const other = state({ id: "b" });
    expect(mergeState(old, other)).toBe(other);
  });
});

describe("ticks", () => {
  it("are grouped by the sections of the statement, and wait until their result comes", () => {
    const groups = tickGroups(
      state({ planned: PLAN, checks: [check(0), check(1, { section: "queue", status: "time_limit" })] }),
    );
    expect(groups).toEqual([
      {
        id: "loss",
        title: "The loss",
        passed: 1,
        ticks: [
          { order: 0, id: "check_0", title: "Check 0", status: "passed" },
          { order: 2, id: "check_2", title: "Check 2", status: "waiting" },
        ],
      },
      {
        id: "queue",
        title: "The dictionary",
        passed: 0,
        ticks: [{ order: 1, id: "check_1", title: "Check 1", status: "time_limit" }],
      },
    ]);
  });

  it("of a finished run that never came were not run", () => {
    const [group] = tickGroups(state({ state: "finished", planned: [planned(0)] }));
    expect(group?.ticks[0]?.status).toBe("not_run");
  });

  it("of an unknown section stand at the end under its name", () => {
    const groups = tickGroups(state({ planned: [planned(0, "elsewhere"), planned(1)] }));
    expect(groups.map((group) => group.title)).toEqual(["The loss", "elsewhere"]);
  });

  it("look wrong for everything that is wrong", () => {
    expect(tickLook("passed")).toBe("passed");
    expect(tickLook("waiting")).toBe("waiting");
    expect(tickLook("not_run")).toBe("none");
    expect(tickLook("runtime_error")).toBe("failed");
    expect(tickLook("sandbox_violation")).toBe("failed");
  });
});

describe("the lists of a report", () => {
  const finished = state({
    state: "finished",
    checks: [
      check(0),
      check(1, { section: "queue", status: "runtime_error" }),
      check(2, { section: "queue" }),
      check(3, { status: "not_run" }),
    ],
  });

  it("hold each check once", () => {
    expect(failedChecks(finished).map((result) => result.order)).toEqual([1]);
    expect(passedBySection(finished).map((group) => [group.title, group.checks.map((result) => result.order)])).toEqual(
      [
        ["The loss", [0]],
        ["The dictionary", [2]],
      ],
    );
    expect(checksNotRun(finished).map((result) => result.order)).toEqual([3]);
  });

  it("are counted in words, without what there is none of", () => {
    expect(countsInWords(finished)).toBe("2 passed, 1 failed, 1 not run");
    expect(countsInWords(state({ checks: [check(0)] }))).toBe("1 passed");
    expect(countsInWords(state())).toBe("");
  });
});

describe("the words of a report", () => {
  it("have a tone", () => {
    expect(toneOf(state())).toBe("waiting");
    expect(toneOf(state({ state: "finished", verdict: "accepted" }))).toBe("passed");
    expect(toneOf(state({ state: "finished", verdict: "time_limit" }))).toBe("failed");
    expect(toneOf(state({ state: "finished", verdict: "judge_error" }))).toBe("fault");
    expect(toneOf(state({ judge_fault: true }))).toBe("fault");
  });

  it("say how long it took, or takes others", () => {
    expect(timing(state({ typical_ms: 143 }))).toBe("usually takes 143 ms");
    expect(timing(state())).toBe("");
    expect(timing(state({ state: "finished", ms: 1500, typical_ms: 143 }))).toBe("1.5 s");
  });

  it("explain a long wait by what is waited for", () => {
    const limits = { check_seconds: 2, total_seconds: 15 };
    expect(explanation(state({ state: "queued" }), limits)).toContain("has not taken this run yet");
    expect(explanation(state(), limits)).toContain("One check may take 2 s, all together 15 s");
    expect(explanation(state({ judge_fault: true }), limits)).toContain("That does not count");
  });

  it("announce the verdict", () => {
    expect(announcement(state({ state: "finished", sentence: "2 of 3 checks passed" }))).toBe(
      "Run 4 finished. 2 of 3 checks passed.",
    );
  });

  it("find the line of an error", () => {
    expect(lineIn("ValueError: shapes differ (line 12)")).toBe(12);
    expect(lineIn("the baseline 12 is online 3")).toBe(null);
    expect(lineIn("no place named")).toBe(null);
  });

  it("know the statement", () => {
    expect(statementUrl(state())).toBe("/problems/moco/");
    expect(statementUrl(state({ problem_url: "/judge/problems/moco/" }))).toBe("/judge/problems/moco/");
  });
});
