import { describe, expect, it } from "vitest";
import { commonFormat, counted, formatAgo, formatDuration, formatEntry, formatFigure } from "../src/lib/numbers";
import type { Entry } from "../src/lib/schemas";

function column(entries: Entry[], pairs: [Entry, Entry][] = []): string[] {
  const format = commonFormat(entries, pairs);
  return entries.map((entry) => formatEntry(entry, format));
}

describe("a column of numbers", () => {
  it("has as many decimals in every line, so that the points stand below one another", () => {
    expect(column([0.5, 12.25, -3])).toEqual(["0.500", "12.250", "−3.000"]);
  });

  it("shows whole numbers without decimals", () => {
    expect(column([1, 20, -3, 0])).toEqual(["1", "20", "−3", "0"]);
  });

  it("shows enough digits to tell a pair apart", () => {
    const [expected, got] = column([0.126928, 0.1269291], [[0.126928, 0.1269291]]);
    expect(expected).toBe("0.1269280");
    expect(got).toBe("0.1269291");
  });

  it("stops at twelve digits for pairs that differ by less than can be read", () => {
    expect(column([1, 1 + 1e-15, 0.5], [[1, 1 + 1e-15]])[1]).toBe("1.00000000000");
  });

  it("uses powers of ten for very large and very small numbers", () => {
    expect(column([1.5e-7, 2e-8])).toEqual(["1.5000e−7", "2.0000e−8"]);
    expect(column([1e15, 2.5e14 + 0.5])).toEqual(["1.0000e+15", "2.5000e+14"]);
  });

  it("writes what is not a number as a word", () => {
    expect(column(["nan", "inf", "-inf", true, false, 0.25])).toEqual(["nan", "∞", "−∞", "True", "False", "0.25000"]);
  });

  it("can be empty of numbers, or all zero", () => {
    expect(column(["nan"])).toEqual(["nan"]);
    expect(column([0, 0])).toEqual(["0", "0"]);
  });
});

describe("single figures", () => {
  it.each([
    [1e-5, "1e−5"],
    [1.7436683806286792e-9, "1.74e−9"],
    [0.05, "0.05"],
    [-2.016, "−2.02"],
    [0, "0"],
    [12345678, "1.23e7"],
  ])("%d is written %s", (number, text) => {
    expect(formatFigure(number)).toBe(text);
  });

  it.each([
    [0.42, "0.4 ms"],
    [9.97, "10 ms"],
    [143.4, "143 ms"],
    [999.7, "1.0 s"],
    [1440, "1.4 s"],
    [59_960, "1 min 0 s"],
    [125_000, "2 min 5 s"],
  ])("%d ms takes %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [-5_000, "just now"],
    [1_000, "just now"],
    [2_000, "2 s ago"],
    [59_400, "59 s ago"],
    [61_000, "1 min ago"],
    [7_300_000, "2 h ago"],
    [90_000_000, "1 day ago"],
    [200_000_000, "2 days ago"],
  ])("%d ms before now is %s", (ms, text) => {
    expect(formatAgo(ms)).toBe(text);
  });

  it("counts in the singular and the plural", () => {
    expect(counted(1, "check")).toBe("1 check");
    expect(counted(0, "check")).toBe("0 checks");
    expect(counted(2, "entry", "entries")).toBe("2 entries");
  });
});
