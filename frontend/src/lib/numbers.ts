/** Numbers as a reader wants to see them. */

import type { Entry } from "./schemas";

const MINUS = "\u2212";

/** `"nan"` and the infinities as they are written in a table, booleans as Python writes them. */
function word(entry: Entry): string | null {
  if (entry === "nan") return "nan";
  if (entry === "inf") return "\u221e";
  if (entry === "-inf") return `${MINUS}\u221e`;
  if (typeof entry === "boolean") return entry ? "True" : "False";
  return null;
}

function finite(entries: readonly Entry[]): number[] {
  return entries.filter((entry): entry is number => typeof entry === "number");
}

/** How all numbers of one table are written, so that their decimal points stand below one another. */
export interface NumberFormat {
  readonly notation: "integer" | "fixed" | "exponent";
  readonly digits: number;
}

/** The significant digits that tell `a` and `b` apart, between `least` and 17, plus one to see by how much. */
function telling(a: number, b: number, least: number): number {
  for (let digits = least; digits < 17; digits += 1) {
    if (a.toPrecision(digits) !== b.toPrecision(digits)) return Math.min(digits + 1, 17);
  }
  return 17;
}

/**
 * One format for all `entries`. `pairs` are numbers that differ and must look different; without them, six significant
 * digits are shown.
 */
export function commonFormat(
  entries: readonly Entry[],
  pairs: readonly (readonly [Entry, Entry])[] = [],
): NumberFormat {
  const numbers = finite(entries);
  if (numbers.every((number) => Number.isInteger(number) && Math.abs(number) < 1e6))
    return { notation: "integer", digits: 0 };
  const sizes = numbers.map(Math.abs).filter((size) => size > 0);
  const largest = Math.max(...sizes);
  const smallest = Math.min(...sizes);
  let significant = 5;
  for (const [a, b] of pairs) {
    if (typeof a === "number" && typeof b === "number" && a !== b)
      significant = Math.max(significant, telling(a, b, 4));
  }
  significant = Math.min(significant, 12);
  if (largest >= 1e7 || largest < 1e-4 || (smallest < 1e-6 && largest < 1))
    return { notation: "exponent", digits: significant - 1 };
  const before = Math.max(0, Math.floor(Math.log10(largest)) + 1);
  return { notation: "fixed", digits: Math.min(12, Math.max(1, significant - before)) };
}

/** `entry` in `format`, with a real minus sign. */
export function formatEntry(entry: Entry, format: NumberFormat): string {
  const special = word(entry);
  if (special !== null) return special;
  const number = entry as number;
  const text =
    format.notation === "exponent"
      ? number.toExponential(format.digits)
      : number.toFixed(format.notation === "integer" ? 0 : format.digits);
  return text.replace(/-/g, MINUS);
}

/** A tolerance or another single figure, to three significant digits: `0.00002` is written `2e−5`. */
export function formatFigure(number: number): string {
  const rounded = Number(number.toPrecision(3));
  const size = Math.abs(rounded);
  const text = rounded !== 0 && (size < 1e-3 || size >= 1e6) ? rounded.toExponential() : String(rounded);
  return text.replace("e+", "e").replace(/-/g, MINUS);
}

/** A duration: `0.4 ms`, `12 ms`, `1.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** How long ago something was: `just now`, `12 s ago`, `3 min ago`, `2 h ago`, `4 days ago`. */
export function formatAgo(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

/** `1 check`, `12 checks`; `plural` for the words that are not formed so. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
