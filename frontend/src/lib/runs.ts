/** What is drawn and read of a run: its lines as paths, its steps as rows, one step entry by entry. */

import type { Cell } from "./comparison";
import { ticksBetween } from "./labs/scale";
import { commonFormat, formatEntry, formatFigure } from "./numbers";
import type { Entry, Run, RunChart, StepState } from "./schemas";

type Line = readonly (number | null)[];

export interface Size {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  readonly judge: string;
  readonly learner: string;
  readonly points: readonly Place[];
  /** Where the learner's line first leaves the judge's. */
  readonly first: Place | null;
  /** Where the runs part, in whichever state. */
  readonly rule: number | null;
  readonly ticks: readonly { readonly y: number; readonly text: string }[];
  readonly steps: readonly { readonly x: number; readonly text: string }[];
  /** Names at the ends of the lines. */
  readonly names: readonly { readonly y: number; readonly text: string; readonly whose: "judge" | "learner" }[];
  /** Whether the learner's line leaves the picture, which is made for the judge's. */
  readonly beyond: boolean;
}

/** So many times the judge's own range is drawn at most, above and below it. */
const ROOM = 2;
const NAME_HEIGHT = 14;

function finite(line: Line): number[] {
  return line.filter((value): value is number => value !== null);
}

/** Least and most of the picture: the judge's range, and of the learner's what is not far outside of it. */
function range(chart: RunChart): readonly [number, number] {
  const judge = finite(chart.expected);
  const [low, high] = [Math.min(...judge), Math.max(...judge)];
  const room = ROOM * Math.max(high - low, Math.abs(high) * 0.05, 1e-9);
  const near = finite(chart.got ?? []).filter((value) => value >= low - room && value <= high + room);
  return [Math.min(low, ...near), Math.max(high, ...near)];
}

function isCounted(chart: RunChart): boolean {
  return finite(chart.expected).every((value) => Number.isInteger(value));
}

/** A line through its values; what is counted goes in steps. A missing value interrupts it. */
function path(places: readonly (Place | null)[], stepped: boolean): string {
  let isOpen = false;
  let text = "";
  for (const place of places) {
    if (place !== null) {
      const [x, y] = [place.x.toFixed(1), place.y.toFixed(1)];
      text += !isOpen ? `M${x} ${y}` : stepped ? `H${x}V${y}` : `L${x} ${y}`;
    }
    isOpen = place !== null;
  }
  return text;
}

/** The lines of `chart` in a picture of this size; `first` is the step at which the runs part. */
export function drawing(chart: RunChart, first: number | null, size: Size): Drawing {
  const [least, most] = range(chart);
  const values = ticksBetween(least, most > least ? most : least + Math.max(Math.abs(least) * 0.1, 1));
  const [bottom, top] = [values[0] ?? 0, values.at(-1) ?? 1];
  const last = Math.max(1, chart.expected.length - 1);
  const [wide, high] = [size.width - size.left - size.right, size.height - size.top - size.bottom];
  const x = (step: number): number => size.left + (step / last) * wide;
  const y = (value: number): number => {
    const share = (value - bottom) / (top - bottom);
    return size.top + (1 - Math.min(1, Math.max(0, share))) * high;
  };
  const placed = (line: Line): (Place | null)[] =>
    line.map((value, step) => (value === null ? null : { x: x(step), y: y(value) }));
  const got = chart.got;
  const learner = got === null ? [] : placed(got);
  const isInside = (value: number | null): boolean => value !== null && value >= bottom && value <= top;
  const parts = first === null || got === null ? -1 : got.findIndex((value, step) => value !== chart.expected[step]);
  const stepped = isCounted(chart);
  const format = commonFormat(values);
  const every = Math.max(1, Math.ceil(last / Math.max(2, Math.floor(wide / 28))));
  return {
    judge: path(placed(chart.expected), stepped),
    learner: path(learner, stepped),
    points: learner.filter((place, step) => place !== null && isInside(got?.[step] ?? null)) as Place[],
    first: parts < 0 ? null : (learner[parts] ?? { x: x(parts), y: y(chart.expected[parts] ?? bottom) }),
    rule: first === null ? null : x(first),
    ticks: values.map((value) => ({ y: y(value), text: short(value, format.notation) })),
    steps: Array.from({ length: Math.floor(last / every) + 1 }, (_, index) => ({
      x: x(index * every),
      text: String(index * every),
    })),
    names: names(placed(chart.expected).at(-1)?.y, learner.at(-1)?.y, got !== null),
    beyond: finite(got ?? []).some((value) => !isInside(value)),
  };
}

function short(value: number, notation: string): string {
  return notation === "exponent" ? formatFigure(value) : String(value).replace("-", "\u2212");
}

/** Both names where the lines end apart, one where they end together. */
function names(judge: number | undefined, learner: number | undefined, ran: boolean): Drawing["names"] {
  const named: { y: number; text: string; whose: "judge" | "learner" }[] = [];
  if (judge === undefined) return named;
  if (!ran || learner === undefined) return [{ y: judge, text: "judge's", whose: "judge" }];
  if (Math.abs(judge - learner) < 1) return [{ y: judge, text: "both", whose: "learner" }];
  const apart = Math.max(0, (NAME_HEIGHT - Math.abs(judge - learner)) / 2) * (judge < learner ? -1 : 1);
  return [
    { y: judge + apart, text: "judge's", whose: "judge" },
    { y: learner - apart, text: "yours", whose: "learner" },
  ];
}

/** The numbers of a chart: step, judge's, learner's, difference. */
export function chartRows(chart: RunChart, first: number | null): string[][] {
  const all = [...finite(chart.expected), ...finite(chart.got ?? [])];
  const format = commonFormat(all, []);
  const text = (value: number | null): string => (value === null ? "\u2013" : formatEntry(value, format));
  return chart.expected.map((expected, step) => {
    const got = chart.got?.[step] ?? null;
    const same = chart.got !== null && (first === null || step < first);
    const difference = expected === null || got === null ? "\u2013" : same ? "agrees" : formatFigure(got - expected);
    return [String(step), text(expected), text(got), difference];
  });
}

/** What a chart shows, in words. */
export function alternative(chart: RunChart, run: Run): string {
  const judge = finite(chart.expected);
  const format = commonFormat(judge, []);
  const [start, end] = [judge[0] ?? 0, judge.at(-1) ?? 0].map((value) => formatEntry(value, format));
  const line = `${chart.title} by step: the judge's goes from ${start} to ${end}.`;
  if (chart.got === null) return `${line} Your run has not come to its end.`;
  if (run.first === null) return `${line} Yours is the same.`;
  const got = chart.got.at(-1) ?? null;
  const parts = chart.got.findIndex((value, step) => value !== chart.expected[step]);
  if (parts < 0) return `${line} Yours is the same here; the runs part at step ${run.first.step}, in another state.`;
  return `${line} Yours parts from it at step ${parts}, and ends at ${got === null ? "no number" : formatFigure(got)}.`;
}

/** Expected, got and difference of one state, as tables of the same shape. */
export interface StepTables {
  readonly expected: readonly (readonly Cell[])[];
  readonly got: readonly (readonly Cell[])[];
  readonly difference: readonly (readonly Cell[])[];
}

export function stepTables(state: StepState): StepTables {
  const got = state.got;
  const pairs = state.expected.flatMap((entry, index): [Entry, Entry][] =>
    state.differs[index] === true && got !== null ? [[entry, got[index] ?? entry]] : [],
  );
  const format = commonFormat([...state.expected, ...(got ?? [])], pairs);
  const width = state.shape.at(-1) ?? 1;
  const differences = state.expected.map((entry, index): Entry | null => difference(state, entry, index));
  const differenceFormat = commonFormat(differences.filter((entry) => entry !== null));
  const table = (text: (index: number) => string): Cell[][] => {
    const cells = state.expected.map((_, index) => ({ text: text(index), differs: state.differs[index] ?? false }));
    return Array.from({ length: Math.ceil(cells.length / width) }, (_, row) =>
      cells.slice(row * width, (row + 1) * width),
    );
  };
  return {
    expected: table((index) => formatEntry(state.expected[index] ?? "nan", format)),
    got: table((index) => (got === null ? "\u2013" : formatEntry(got[index] ?? "nan", format))),
    difference: table((index) => {
      const entry = differences[index] ?? null;
      if (state.differs[index] !== true) return "\u00b7";
      return entry === null ? "\u2013" : formatEntry(entry, differenceFormat);
    }),
  };
}

/** What came minus what was expected, where both are numbers that differ. */
function difference(state: StepState, expected: Entry, index: number): number | null {
  const got = state.got?.[index];
  if (state.differs[index] !== true || typeof expected !== "number" || typeof got !== "number") return null;
  return got - expected;
}

/** How many entries differ, in words. */
export function differingInWords(state: StepState): string {
  const count = state.differs.filter(Boolean).length;
  if (count === 0) return "agrees";
  if (state.got === null) return `came as something else than ${shapeInWords(state.shape)}`;
  return state.differs.length === 1 ? "differs" : `${count} of ${state.differs.length} entries differ`;
}

function shapeInWords(shape: readonly number[]): string {
  return shape.length === 0 ? "a number" : `numbers of shape [${shape.join(", ")}]`;
}
