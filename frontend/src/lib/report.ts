/** What a report shows, computed from the state of a submission. */

import { formatDuration } from "./numbers";
import type { Check, State, Status } from "./schemas";

/** What colour and shape stand for: right, wrong, still going, or our own fault. */
export type Tone = "passed" | "failed" | "waiting" | "fault";

export type TickStatus = Status | "waiting";

export interface Tick {
  readonly order: number;
  readonly id: string;
  readonly title: string;
  readonly status: TickStatus;
}

export interface TickGroup {
  readonly id: string;
  readonly title: string;
  readonly ticks: readonly Tick[];
  readonly passed: number;
}

export interface CheckGroup {
  readonly id: string;
  readonly title: string;
  readonly checks: readonly Check[];
}

const STATUS_WORDS: Record<TickStatus, string> = {
  passed: "passed",
  failed: "failed",
  runtime_error: "raised an error",
  time_limit: "out of time",
  memory_limit: "out of memory",
  output_limit: "printed too much",
  sandbox_violation: "not allowed",
  not_run: "not run",
  judge_error: "our fault",
  waiting: "waiting",
};

/** `status` in the words of a report. */
export function statusWords(status: TickStatus): string {
  return STATUS_WORDS[status];
}

/** The four looks of a tick; everything that is wrong looks wrong. */
export function tickLook(status: TickStatus): "passed" | "failed" | "none" | "waiting" {
  if (status === "passed" || status === "waiting") return status;
  return status === "not_run" ? "none" : "failed";
}

/** The order from which checks are still unknown. */
export function nextOrder(state: State | null): number {
  return state === null ? 0 : state.checks.reduce((next, check) => Math.max(next, check.order + 1), 0);
}

/** True when `update` belongs to another attempt than `state`, whose results are then void. */
export function isNewAttempt(state: State | null, update: State): boolean {
  return state !== null && state.attempt !== update.attempt;
}

/** `state` with what `update` adds. Each check is kept once, in order; what an update leaves out stays known. */
export function mergeState(state: State | null, update: State): State {
  if (state === null || state.id !== update.id || isNewAttempt(state, update)) return update;
  const checks = new Map(state.checks.map((check) => [check.order, check]));
  for (const check of update.checks) checks.set(check.order, check);
  return {
    ...update,
    checks: [...checks.values()].sort((a, b) => a.order - b.order),
    planned: update.planned.length > 0 ? update.planned : state.planned,
    sections: update.sections.length > 0 ? update.sections : state.sections,
  };
}

function sectionOrder(state: State, used: readonly string[]): { id: string; title: string }[] {
  const known = state.sections.filter((section) => used.includes(section.id));
  const rest = [...new Set(used)].filter((id) => !state.sections.some((section) => section.id === id));
  return [...known, ...rest.map((id) => ({ id, title: id }))];
}

/** All checks of the problem, grouped by section; those without a result yet are waiting. */
export function tickGroups(state: State): TickGroup[] {
  const results = new Map(state.checks.map((check) => [check.id, check.status]));
  const planned = state.planned.length > 0 ? state.planned : state.checks;
  const missing: TickStatus = state.state === "finished" ? "not_run" : "waiting";
  return sectionOrder(
    state,
    planned.map((check) => check.section),
  ).map((section) => {
    const ticks = planned
      .filter((check) => check.section === section.id)
      .map(({ order, id, title }) => ({ order, id, title, status: results.get(id) ?? missing }));
    return { ...section, ticks, passed: ticks.filter((tick) => tick.status === "passed").length };
  });
}

/** Checks that ended with anything but a pass, in order. */
export function failedChecks(state: State): Check[] {
  return state.checks.filter((check) => check.status !== "passed" && check.status !== "not_run");
}

/** Passed checks, grouped by section. */
export function passedBySection(state: State): CheckGroup[] {
  const passed = state.checks.filter((check) => check.status === "passed");
  return sectionOrder(
    state,
    passed.map((check) => check.section),
  ).map((section) => ({ ...section, checks: passed.filter((check) => check.section === section.id) }));
}

/** Checks that were not run, in order. */
export function checksNotRun(state: State): Check[] {
  return state.checks.filter((check) => check.status === "not_run");
}

/** The address of the statement that the checks belong to. */
export function statementUrl(state: State): string {
  return state.problem_url === "" ? `/problems/${state.problem}/` : state.problem_url;
}

/** How many checks ended how, such as `52 passed, 27 failed`; what there is none of is left out. */
export function countsInWords(state: State): string {
  const counts: [number, string][] = [
    [state.checks.filter((check) => check.status === "passed").length, "passed"],
    [failedChecks(state).length, "failed"],
    [checksNotRun(state).length, "not run"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(", ");
}

export function toneOf(state: State): Tone {
  if (state.judge_fault || state.verdict === "judge_error") return "fault";
  if (state.state !== "finished") return "waiting";
  return state.verdict === "accepted" ? "passed" : "failed";
}

/** The line below the verdict: what ran, and how long it took or usually takes. */
export function timing(state: State): string {
  if (state.state === "finished") return state.ms === null ? "" : formatDuration(state.ms);
  return state.typical_ms === null ? "" : `usually takes ${formatDuration(state.typical_ms)}`;
}

/** What is going on when a run takes long; `limits` are the problem's. */
export function explanation(state: State, limits: { check_seconds: number; total_seconds: number }): string {
  if (state.state === "queued") {
    return "The judge has not taken this run yet: it is busy, or it is starting. Your code is saved. You can wait here, or leave and come back.";
  }
  if (state.judge_fault) {
    return "The judge stopped while it ran your code. That does not count. It runs your code again by itself, with nothing for you to do.";
  }
  return `One check may take ${limits.check_seconds} s, all together ${limits.total_seconds} s; then the run is stopped. Code that is slow or never ends is the usual reason.`;
}

/** What a screen reader hears at the end. */
export function announcement(state: State): string {
  return `Run ${state.number} finished. ${state.sentence}.`;
}

/** The line of the learner's file that a message speaks of, or null. */
export function lineIn(message: string): number | null {
  const match = /\bline (\d{1,5})\b/.exec(message);
  return match?.[1] === undefined ? null : Number(match[1]);
}
