import { describe, expect, it } from "vitest";
import { ticksBetween } from "../src/lib/labs/scale";
import { alternative, chartRows, differingInWords, drawing, stepTables } from "../src/lib/runs";
import type { Run, RunChart, StepState } from "../src/lib/schemas";

const SIZE = { width: 260, height: 140, top: 20, right: 40, bottom: 20, left: 20 };

function chart(expected: (number | null)[], got: (number | null)[] | null): RunChart {
  return { title: "Loss", axis: "nats", expected, got };
}

function run(first: Run["first"], values: Partial<Run> = {}): Run {
  return { check: 3, title: "Twelve steps", sentence: "", first, charts: [], step: null, ...values };
}

describe("the lines of a run", () => {
  it("lie over one another where the runs agree", () => {
    const drawn = drawing(chart([null, 0.5, 0.25], [null, 0.5, 0.25]), null, SIZE);

    // Ticks from 0.2 to 0.5: the picture is 100 high, and 100 wide a step.
    expect(drawn.ticks.map((tick) => tick.text)).toEqual(["0.2", "0.3", "0.4", "0.5"]);
    expect(drawn.judge).toBe("M120.0 20.0L220.0 103.3");
    expect(drawn.learner).toBe(drawn.judge);
    expect(drawn.points).toHaveLength(2);
    expect(drawn.first).toBeNull();
    expect(drawn.names).toEqual([{ y: drawn.points[1]?.y, text: "both", whose: "learner" }]);
  });

  it("mark the first value that differs in this chart", () => {
    const drawn = drawing(chart([1.5, 2.5, 3.5, 4.5], [1.5, 2.5, 3.5, 2.5]), 2, SIZE);

    expect(drawn.first).toEqual({ x: 220, y: expect.closeTo(82.5, 6) });
    expect(drawn.rule).toBeCloseTo(153.3, 1);
    expect(drawn.names.map((name) => name.text)).toEqual(["judge's", "yours"]);
    expect(drawing(chart([1.5, 2.5], [1.5, 2.5]), 1, SIZE).first).toBeNull();
  });

  it("go in steps where something is counted, and are interrupted where there is no number", () => {
    expect(drawing(chart([0, 2, 4], [0, 2, 4]), null, SIZE).judge).toBe("M20.0 120.0H120.0V70.0H220.0V20.0");
    expect(drawing(chart([0.5, 1.5, 2.5], [0.5, null, 2.5]), 1, SIZE).learner).toMatch(/^M[\d. ]+M[\d. ]+$/);
  });

  it("keep the judge's readable when the learner's explodes", () => {
    const drawn = drawing(chart([1.5, 1.25, 1.0], [1.5, 1e9, -1e9]), 1, SIZE);

    expect(drawn.beyond).toBe(true);
    expect(drawn.points.map((point) => point.y)).toEqual([expect.closeTo(36.7, 1)]);
  });

  it("are the judge's alone when the run has not ended", () => {
    const drawn = drawing(chart([1.5, 1.25], null), null, SIZE);

    expect(drawn.learner).toBe("");
    expect(drawn.names.map((name) => name.text)).toEqual(["judge's"]);
  });

  it("draw a constant in the middle of something", () => {
    const drawn = drawing(chart([2, 2], [2, 2]), null, SIZE);

    expect(drawn.ticks.length).toBeGreaterThan(1);
    expect(drawn.points.every((point) => Number.isFinite(point.y))).toBe(true);
  });

  it("name steps that are not on top of one another", () => {
    const values = Array.from({ length: 501 }, (_, step) => step / 2);
    const { steps } = drawing(chart(values, values), null, SIZE);

    expect(steps.length).toBeLessThan(9);
    expect(steps[0]?.text).toBe("0");
  });
});

describe("the table of a chart", () => {
  it("says where the runs agree, and the difference where they do not", () => {
    expect(chartRows(chart([null, 0.5, 0.25], [null, 0.5, 0.75]), 2)).toEqual([
      ["0", "–", "–", "–"],
      ["1", "0.50000", "0.50000", "agrees"],
      ["2", "0.25000", "0.75000", "0.5"],
    ]);
    expect(chartRows(chart([0, 2], null), null)).toEqual([
      ["0", "0", "–", "–"],
      ["1", "2", "–", "–"],
    ]);
  });
});

describe("the words of a chart", () => {
  it("say what the picture shows", () => {
    const lines = chart([null, 0.5, 0.25], [null, 0.5, 0.75]);

    expect(alternative(lines, run({ step: 2, label: "loss" }))).toBe(
      "Loss by step: the judge's goes from 0.50000 to 0.25000. Yours parts from it at step 2, and ends at 0.75.",
    );
    expect(alternative(chart([1, 2], [1, 2]), run(null))).toBe(
      "Loss by step: the judge's goes from 1 to 2. Yours is the same.",
    );
    expect(alternative(chart([1, 2], [1, 2]), run({ step: 1, label: "key" }))).toContain(
      "part at step 1, in another state",
    );
    expect(alternative(chart([1, 2], null), run(null))).toContain("has not come to its end");
  });
});

describe("the numbers of a step", () => {
  const state: StepState = {
    label: "encoder",
    shape: [2, 2],
    expected: [0.5, 1, -1, 0],
    got: [0.5, 1.25, "nan", 0],
    differs: [false, true, true, false],
  };

  it("stand entry by entry, with their difference", () => {
    const { expected, got, difference } = stepTables(state);
    const text = (rows: readonly (readonly { text: string }[])[]): string[][] =>
      rows.map((row) => row.map((cell) => cell.text));

    expect(text(expected)).toEqual([
      ["0.5000", "1.0000"],
      ["−1.0000", "0.0000"],
    ]);
    expect(text(got)).toEqual([
      ["0.5000", "1.2500"],
      ["nan", "0.0000"],
    ]);
    expect(text(difference)).toEqual([
      ["·", "0.25000"],
      ["–", "·"],
    ]);
    expect(got[0]?.map((cell) => cell.differs)).toEqual([false, true]);
    expect(differingInWords(state)).toBe("2 of 4 entries differ");
  });

  it("say when something else came than numbers", () => {
    expect(differingInWords({ ...state, got: null })).toBe("came as something else than numbers of shape [2, 2]");
    expect(stepTables({ ...state, got: null }).got[0]?.[0]?.text).toBe("–");
    expect(differingInWords({ ...state, differs: [false] })).toBe("agrees");
    expect(stepTables({ ...state, shape: [], expected: [1], got: [2], differs: [true] }).difference).toEqual([
      [{ text: "1", differs: true }],
    ]);
  });
});

describe("round numbers between two", () => {
  it("hold both ends", () => {
    expect(ticksBetween(0.2, 0.9)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticksBetween(-3, 7)).toEqual([-5, 0, 5, 10]);
    expect(ticksBetween(0, 4)).toEqual([0, 1, 2, 3, 4]);
  });
});
