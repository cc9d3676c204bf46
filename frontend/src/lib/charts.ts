/** The charts of the workspace: what arrives, and how it is laid out. */

import * as v from "valibot";

const CellSchema = v.union([v.string(), v.number()]);

export const ChartSchema = v.object({
  kind: v.picklist(["days", "attempts", "timeline"]),
  file: v.string(),
  title: v.string(),
  alternative: v.string(),
  columns: v.array(v.string()),
  rows: v.array(v.array(CellSchema)),
  median: v.nullish(v.number(), null),
});
export type Chart = v.InferOutput<typeof ChartSchema>;

/** A cell that must be a number; what is none counts as 0. */
export function count(cell: string | number | undefined): number {
  const value = Number(cell ?? 0);
  return Number.isFinite(value) ? value : 0;
}

export interface DayPart {
  day: Date;
  part: "solved" | "not solved" | "our fault";
  runs: number;
}

/** A day in its parts, in the order in which they are stacked. */
export function dayParts(rows: Chart["rows"]): DayPart[] {
  return rows.flatMap(([day, solved, failed, faults]) => {
    const date = new Date(`${day}T00:00:00Z`);
    return [
      { day: date, part: "solved" as const, runs: count(solved) },
      { day: date, part: "not solved" as const, runs: count(failed) },
      { day: date, part: "our fault" as const, runs: count(faults) },
    ];
  });
}

export interface RunPoint {
  at: Date;
  /** Place in the order of the runs: their times are so uneven that a line over time would hide them. */
  place: number;
  number: number;
  share: number;
  passed: number;
  total: number;
  ended: string;
  look: "solved" | "failed" | "fault";
}

/** The runs of a time line that have a result. */
export function runPoints(rows: Chart["rows"]): RunPoint[] {
  return rows
    .map(([at, number, passed, total, ended], place) => ({
      at: new Date(String(at)),
      place: place + 1,
      number: count(number),
      passed: count(passed),
      total: count(total),
      share: count(total) === 0 ? 0 : count(passed) / count(total),
      ended: String(ended),
      look:
        ended === "accepted" ? ("solved" as const) : ended === "judge_error" ? ("fault" as const) : ("failed" as const),
    }))
    .filter((point) => point.total > 0);
}

/** The places at which a new day begins, each with its date as `3 Nov`; those too near to the one before are left out. */
export function dayMarks(points: readonly RunPoint[], apart: number): { place: number; text: string }[] {
  const marks: { place: number; text: string }[] = [];
  let day = "";
  for (const point of points) {
    const text = point.at.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    const before = marks.at(-1);
    if (text !== day && (before === undefined || point.place - before.place >= apart))
      marks.push({ place: point.place, text });
    day = text;
  }
  return marks;
}
