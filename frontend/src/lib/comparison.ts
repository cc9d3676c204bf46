/** What a failed comparison shows: two aligned tables, two values, or the first place where a large value differs. */

import { commonFormat, counted, formatEntry, formatFigure } from "./numbers";
import type { ComparisonDetails, Details, Entry, Nested } from "./schemas";

export interface Cell {
  readonly text: string;
  readonly differs: boolean;
}

/** One table of a tensor: `label` is the index of a slice such as `[0, :, :]`, or empty. */
export interface Slice {
  readonly label: string;
  readonly expected: readonly (readonly Cell[])[];
  readonly got: readonly (readonly Cell[])[];
}

export type ComparisonView =
  | {
      readonly kind: "pair";
      readonly caption: string;
      readonly expected: string;
      readonly got: string;
      readonly note: string;
    }
  | { readonly kind: "tables"; readonly caption: string; readonly slices: readonly Slice[]; readonly note: string }
  | {
      readonly kind: "first";
      readonly caption: string;
      readonly shape: string;
      readonly index: string;
      readonly expected: string;
      readonly got: string;
      readonly note: string;
    };

function isList<T>(value: Nested<T>): value is Nested<T>[] {
  return Array.isArray(value);
}

function flatten<T>(value: Nested<T>): T[] {
  return isList(value) ? value.flatMap((part) => flatten(part)) : [value];
}

function caption(details: Details): string {
  return [details.where, details.what].filter((part) => part !== "").join(": ");
}

function allowance(details: ComparisonDetails): string {
  return details.allowed === null || details.allowed === 0 ? "" : `allowed ${formatFigure(details.allowed)}`;
}

function difference(expected: Entry, got: Entry): string {
  if (typeof expected !== "number" || typeof got !== "number") return "";
  return `difference ${formatFigure(got - expected)}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/** The matrices that make up a nested list, each with the label of its slice. */
function matrices<T>(
  value: Nested<T>,
  dimensions: number,
  prefix: readonly number[] = [],
): { label: string; rows: T[][] }[] {
  if (!isList(value)) return [{ label: "", rows: [[value]] }];
  if (dimensions <= 1) return [{ label: "", rows: [value as T[]] }];
  if (dimensions === 2) {
    const label = prefix.length > 0 ? `[${prefix.join(", ")}, :, :]` : "";
    return [{ label, rows: value as T[][] }];
  }
  return value.flatMap((part, index) => matrices(part, dimensions - 1, [...prefix, index]));
}

function tables(
  details: ComparisonDetails,
  expected: Nested<Entry>,
  got: Nested<Entry>,
  differs: Nested<boolean>,
): Slice[] {
  const expectedFlat = flatten(expected);
  const gotFlat = flatten(got);
  const differsFlat = flatten(differs);
  const pairs = expectedFlat.flatMap((entry, index): [Entry, Entry][] =>
    differsFlat[index] === true ? [[entry, gotFlat[index] ?? entry]] : [],
  );
  const format = commonFormat([...expectedFlat, ...gotFlat], pairs);
  const dimensions = details.shape.length;
  const flags = matrices(differs, dimensions);
  const cells = (source: { rows: Entry[][] }[], slice: number): Cell[][] =>
    (source[slice]?.rows ?? []).map((row, rowIndex) =>
      row.map((entry, column) => ({
        text: formatEntry(entry, format),
        differs: flags[slice]?.rows[rowIndex]?.[column] ?? false,
      })),
    );
  const expectedMatrices = matrices(expected, dimensions);
  const gotMatrices = matrices(got, dimensions);
  return expectedMatrices.map(({ label }, index) => ({
    label,
    expected: cells(expectedMatrices, index),
    got: cells(gotMatrices, index),
  }));
}

/** How `details` are drawn. */
export function comparisonView(details: Details): ComparisonView {
  const title = caption(details);
  if (details.kind === "value")
    return { kind: "pair", caption: title, expected: details.expected, got: details.got, note: "" };
  const { expected, got, differs, first } = details;
  if (expected !== null && got !== null && !isList(expected) && !isList(got)) {
    const format = commonFormat([expected, got], [[expected, got]]);
    return {
      kind: "pair",
      caption: title,
      expected: formatEntry(expected, format),
      got: formatEntry(got, format),
      note: joined([difference(expected, got), allowance(details)]),
    };
  }
  const share = `${details.differing} of ${counted(details.entries, "entry", "entries")} ${details.differing === 1 ? "differs" : "differ"}`;
  const note = joined([share, allowance(details)]);
  if (expected !== null && got !== null && differs !== null) {
    return { kind: "tables", caption: title, slices: tables(details, expected, got, differs), note };
  }
  const shown = first ?? { index: [], expected: "nan" as Entry, got: "nan" as Entry };
  const format = commonFormat([shown.expected, shown.got], [[shown.expected, shown.got]]);
  return {
    kind: "first",
    caption: title,
    shape: `[${details.shape.join(", ")}]`,
    index: `[${shown.index.join(", ")}]`,
    expected: first === null ? "" : formatEntry(shown.expected, format),
    got: first === null ? "" : formatEntry(shown.got, format),
    note: joined([share, first === null ? "" : difference(shown.expected, shown.got), allowance(details)]),
  };
}
