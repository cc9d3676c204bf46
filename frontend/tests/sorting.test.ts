import { expect, it } from "vitest";
import { numberIn, sorted } from "../src/lib/sorting";

it("reads the numbers that tables show", () => {
  expect(["36 %", "<1 %", ">99 %", "1,234", "778 78 %", "\u2212.", "·", "–", "2.5"].map(numberIn)).toEqual([
    36,
    0.5,
    99.5,
    1234,
    778,
    null,
    null,
    null,
    2.5,
  ]);
});

it("keeps equal rows as they are, and those without a number at the end", () => {
  expect(sorted(["5", "·", "10", "5"], false)).toEqual([0, 3, 2, 1]);
  expect(sorted(["5", "·", "10", "5"], true)).toEqual([2, 0, 3, 1]);
});

it("orders words by their letters", () => {
  expect(sorted(["b", "a", "c"], false)).toEqual([1, 0, 2]);
});
