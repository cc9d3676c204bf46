import { describe, expect, it } from "vitest";
import {
  dictionaryLosses,
  dictionarySizes,
  drawnScores,
  falseNegative,
  onePositive,
  sweep,
  temperatureRow,
} from "../../src/lib/labs/experiments";
import { placedSettings } from "../../src/lib/labs/settings";
import * as v from "valibot";
import {
  DictionarySizeSettings,
  FalseNegativesSettings,
  OnePositiveSettings,
  TemperatureSettings,
} from "../../src/lib/labs/settings";

function expectFigures(got: readonly number[], expected: readonly number[], digits = 6): void {
  expect(got.map((value) => value.toFixed(digits))).toEqual(expected.map((value) => value.toFixed(digits)));
}

describe("the defaults give the stated figures", () => {
  it("one positive among negatives", () => {
    const { angles, tau } = v.parse(OnePositiveSettings, placedSettings("one-positive", {}));
    const figures = onePositive(angles, tau);
    expectFigures([figures.loss], [0.154186]);
    expectFigures(figures.probabilities, [0.857113, 0.011862, 0.000017, 0.000002, 0.000155, 0.130852]);
    expect(figures.collapsed).toBe(1 / 6);
  });

  it("temperature", () => {
    const { similarities, taus } = v.parse(TemperatureSettings, placedSettings("temperature", {}));
    const rows = taus.map((tau) => temperatureRow(similarities, tau));
    expect(taus).toEqual([0.05, 0.1, 0.2, 0.5, 1]);
    expectFigures(
      rows.map((row) => row.loss),
      [0.128394, 0.344137, 0.622472, 1.027555, 1.271851],
    );
    expectFigures(
      rows.map((row) => row.hardGradient),
      [2.380566, 2.607646, 1.627372, 0.586016, 0.253637],
    );
  });

  it.each([1, 2, 77, 4242, 999_999])("dictionary size, within 0.03, with the seed %i", (seed) => {
    const settings = v.parse(DictionarySizeSettings, placedSettings("dictionary-size", {}));
    const scores = {
      positive: settings.positive,
      positiveSpread: settings["positive-spread"],
      negative: settings.negative,
      negativeSpread: settings["negative-spread"],
    };
    const drawn = drawnScores(seed, settings.trials, settings.largest);
    const rows = dictionaryLosses(drawn, settings.trials, settings.largest, scores, settings.tau);
    expect(rows.map((row) => row.size)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    const expected = [0.0575, 0.167, 0.344, 0.638, 1.034, 1.544, 2.135, 2.76, 3.424];
    for (const [index, loss] of expected.entries()) {
      const row = rows[index]!;
      expect(Math.abs(row.loss - loss)).toBeLessThan(0.03);
      expect(row.bound).toBeCloseTo(Math.log(row.size) - row.loss, 12);
    }
  });

  it("false negatives", () => {
    const { positive, negatives, tau } = v.parse(FalseNegativesSettings, placedSettings("false-negatives", {}));
    const rows = [0.05, 0.3, 0.6, 0.82, 0.9].map((similarity) => falseNegative(similarity, positive, negatives, tau));
    expectFigures(
      rows.map((row) => row.loss),
      [0.003006, 0.008041, 0.107383, 0.694425, 1.171893],
    );
    expectFigures(
      rows.map((row) => row.gradient),
      [0.004515, 0.054724, 0.995214, 4.993615, 6.894279],
    );
  });
});

describe("the mean loss by dictionary size", () => {
  it("is that of the closed form when all scores are equal", () => {
    const drawn = drawnScores(3, 100, 5);
    const scores = { positive: 0.4, positiveSpread: 0, negative: 0.4, negativeSpread: 0 };
    for (const row of dictionaryLosses(drawn, 100, 5, scores, 0.1)) {
      expect(row.loss).toBeCloseTo(Math.log(row.size), 12);
      expect(row.bound).toBeCloseTo(0, 12);
    }
  });

  it("is the same for the same seed", () => {
    expect(drawnScores(9, 100, 4)).toEqual(drawnScores(9, 100, 4));
    expect(dictionarySizes(3)).toEqual([2, 4, 8]);
  });

  it("does not overflow at the smallest temperature", () => {
    const scores = { positive: -1, positiveSpread: 1, negative: 1, negativeSpread: 1 };
    for (const row of dictionaryLosses(drawnScores(9, 100, 8), 100, 8, scores, 0.0001)) {
      expect(Number.isFinite(row.loss)).toBe(true);
    }
  });
});

describe("the hard-negative gradient", () => {
  it("is the slope of the loss in the similarity of the hardest negative", () => {
    const similarities = [0.5, 0.1, 0.45, -0.3];
    const step = 1e-6;
    const row = temperatureRow(similarities, 0.3);
    const shifted = (by: number) => temperatureRow([0.5, 0.1, 0.45 + by, -0.3], 0.3).loss;
    expect(row.hardest).toBe(2);
    expect(row.hardGradient).toBeCloseTo((shifted(step) - shifted(-step)) / (2 * step), 6);
  });
});

describe("a sweep", () => {
  it("has both of its ends", () => {
    expect(sweep(0, 1, 5)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });
});
