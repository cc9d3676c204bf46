import type { Check, Planned, State } from "../src/lib/schemas";

/** A check result; `order` names it too. */
export function check(order: number, values: Partial<Check> = {}): Check {
  return {
    order,
    id: `check_${order}`,
    title: `Check ${order}`,
    section: "loss",
    sentence: null,
    required: true,
    status: "passed",
    message: "",
    hint_html: "",
    details: null,
    printed: "",
    ms: 1,
    ...values,
  };
}

export function planned(order: number, section = "loss"): Planned {
  return { order, id: `check_${order}`, title: `Check ${order}`, section };
}

export function state(values: Partial<State> = {}): State {
  return {
    id: "a",
    problem: "moco",
    number: 4,
    url: "/submissions/a/",
    problem_url: "",
    state: "running",
    place: null,
    verdict: null,
    sentence: "Running",
    message: "",
    line: null,
    printed: "",
    total: 3,
    counts: { passed: 0, failed: 0, not_run: 0 },
    attempt: 1,
    judge_fault: false,
    ms: null,
    typical_ms: null,
    created_at: "2026-01-02T03:04:05Z",
    solved: false,
    notes_url: null,
    reference: "",
    sections: [
      { id: "loss", title: "The loss" },
      { id: "queue", title: "The dictionary" },
    ],
    checks: [],
    planned: [],
    diagnoses: [],
    diagnoses_headline: "",
    runs: [],
    ...values,
  };
}
