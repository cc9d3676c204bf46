import { describe, expect, it } from "vitest";
import { comparisonView } from "../src/lib/comparison";
import type { ComparisonDetails } from "../src/lib/schemas";

function comparison(values: Partial<ComparisonDetails>): ComparisonDetails {
  return {
    kind: "comparison",
    what: "loss",
    where: "",
    shape: [],
    dtype: "float32",
    expected: null,
    got: null,
    differs: null,
    first: null,
    differing: 1,
    entries: 1,
    allowed: 1e-5,
    ...values,
  };
}

describe("a comparison", () => {
  it("of two numbers is a pair with the difference and what is allowed", () => {
    expect(comparisonView(comparison({ expected: 0.1269, got: 2.1269, differs: true, where: "step 3" }))).toEqual({
      kind: "pair",
      caption: "step 3: loss",
      expected: "0.1269",
      got: "2.1269",
      note: "difference 2, allowed 1e−5",
    });
  });

  it("says no difference where one of them is not a number", () => {
    const view = comparisonView(comparison({ expected: 0.5, got: "nan", differs: true }));
    expect(view).toMatchObject({ kind: "pair", expected: "0.50000", got: "nan", note: "allowed 1e−5" });
  });

  it("of a matrix is two tables that mark the entries which differ", () => {
    const view = comparisonView(
      comparison({
        what: "queue",
        shape: [2, 2],
        expected: [
          [1, 0],
          [0, 1],
        ],
        got: [
          [1, 0],
          [0.5, 1],
        ],
        differs: [
          [false, false],
          [true, false],
        ],
        differing: 1,
        entries: 4,
      }),
    );
    expect(view).toEqual({
      kind: "tables",
      caption: "queue",
      note: "1 of 4 entries differs, allowed 1e−5",
      slices: [
        {
          label: "",
          expected: [
            [
              { text: "1.0000", differs: false },
              { text: "0.0000", differs: false },
            ],
            [
              { text: "0.0000", differs: true },
              { text: "1.0000", differs: false },
            ],
          ],
          got: [
            [
              { text: "1.0000", differs: false },
              { text: "0.0000", differs: false },
            ],
            [
              { text: "0.5000", differs: true },
              { text: "1.0000", differs: false },
            ],
          ],
        },
      ],
    });
  });

  it("of a vector is one row", () => {
    const view = comparisonView(
      comparison({ shape: [3], expected: [1, 2, 3], got: [1, 2, 4], differs: [false, false, true], entries: 3 }),
    );
    expect(view.kind === "tables" && view.slices[0]?.got[0]?.map((cell) => cell.text)).toEqual(["1", "2", "4"]);
  });

  it("of three dimensions is a table for each slice, with its index", () => {
    const zeros = [
      [[0], [0]],
      [[0], [0]],
    ];
    const view = comparisonView(
      comparison({
        shape: [2, 2, 1],
        expected: zeros,
        got: [
          [[0], [0]],
          [[0], [7]],
        ],
        differs: [
          [[false], [false]],
          [[false], [true]],
        ],
        entries: 4,
      }),
    );
    expect(view.kind === "tables" && view.slices.map((slice) => slice.label)).toEqual(["[0, :, :]", "[1, :, :]"]);
    expect(view.kind === "tables" && view.slices[1]?.got).toEqual([
      [{ text: "0", differs: false }],
      [{ text: "7", differs: true }],
    ]);
  });

  it("of something large is its shape and the first place that differs", () => {
    const view = comparisonView(
      comparison({
        what: "queue",
        shape: [64, 128],
        first: { index: [3, 7], expected: 0.25, got: 0.75 },
        differing: 3,
        entries: 8192,
      }),
    );
    expect(view).toEqual({
      kind: "first",
      caption: "queue",
      shape: "[64, 128]",
      index: "[3, 7]",
      expected: "0.25000",
      got: "0.75000",
      note: "3 of 8192 entries differ, difference 0.5, allowed 1e−5",
    });
  });

  it("of anything else shows both values as they were written", () => {
    const view = comparisonView({ kind: "value", what: "pointer", where: "", expected: "3", got: "True (bool)" });
    expect(view).toEqual({ kind: "pair", caption: "pointer", expected: "3", got: "True (bool)", note: "" });
  });
});
