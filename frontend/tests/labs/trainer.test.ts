import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { infoNce } from "../../src/lib/labs/infonce";
import { CLASSES, type Dimension, Trainer } from "../../src/lib/labs/trainer";

const Numbers = v.array(v.number());
const Run = v.object({
  dimension: v.picklist([2, 3]),
  seed: v.number(),
  tau: v.number(),
  m: v.number(),
  k: v.number(),
  eta: v.number(),
  shown: v.array(
    v.object({
      step: v.number(),
      anchor: v.number(),
      loss: v.number(),
      positive: v.number(),
      negative: v.nullable(v.number()),
      negatives: v.number(),
      falseNegatives: v.number(),
      query: Numbers,
      key: Numbers,
    }),
  ),
  queries: v.array(Numbers),
  keys: v.array(Numbers),
  labels: Numbers,
});

/** Computed by the oracle that the judge uses; `problems/tests/test_labs.py` computes it again. */
const runs = v.parse(v.array(Run), JSON.parse(readFileSync(new URL("./trainer.json", import.meta.url), "utf8")));
const DEFAULTS = { tau: 0.2, m: 0.99, k: 64, eta: 0.25 };

function row(matrix: Float64Array, label: number, dimension: number): number[] {
  return [...matrix.slice(label * dimension, (label + 1) * dimension)];
}

function expectClose(got: readonly number[], expected: readonly number[]): void {
  expect(got).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) expect(got[index]).toBeCloseTo(value, 7);
}

describe.each(runs)("a run in dimension $dimension with seed $seed", (run) => {
  it("has the losses, the places and the queue that the judge's oracle computes", () => {
    const trainer = new Trainer(run.dimension, run.seed, run.k);
    for (const expected of run.shown) {
      let standing = trainer.step(run);
      while (trainer.steps < expected.step) standing = trainer.step(run);
      expect(standing.anchor).toBe(expected.anchor);
      expect(standing.loss).toBeCloseTo(expected.loss, 7);
      expect(standing.positive).toBeCloseTo(expected.positive, 7);
      if (expected.negative === null) expect(standing.negative).toBeNull();
      else expect(standing.negative).toBeCloseTo(expected.negative, 7);
      expect(standing.negatives).toBe(expected.negatives);
      expect(standing.falseNegatives).toBe(expected.falseNegatives);
      expectClose(row(trainer.queries, expected.anchor, run.dimension), expected.query);
      expectClose(row(trainer.keys, expected.anchor, run.dimension), expected.key);
    }
    for (let label = 0; label < CLASSES; label += 1) {
      expectClose(row(trainer.queries, label, run.dimension), run.queries[label]!);
      expectClose(row(trainer.keys, label, run.dimension), run.keys[label]!);
    }
    expect(run.labels.map((_, age) => trainer.queue.label(age))).toEqual(run.labels);
  });
});

describe.each([2, 3] as const)("in dimension %i", (dimension: Dimension) => {
  it("starts again from the same places with the same seed", () => {
    const [one, two, other] = [7, 7, 8].map((seed) => new Trainer(dimension, seed, 64));
    for (let step = 0; step < 50; step += 1) {
      expect(one!.step(DEFAULTS)).toEqual(two!.step(DEFAULTS));
      other!.step(DEFAULTS);
    }
    expect(one!.queries).toEqual(two!.queries);
    expect(one!.queries).not.toEqual(other!.queries);
  });

  it("keeps every vector on the sphere", () => {
    const trainer = new Trainer(dimension, 3, 64);
    for (let step = 0; step < 500; step += 1) trainer.step(DEFAULTS);
    for (const matrix of [trainer.queries, trainer.keys]) {
      for (let label = 0; label < CLASSES; label += 1) {
        expect(Math.hypot(...row(matrix, label, dimension))).toBeCloseTo(1, 12);
      }
    }
  });

  it("moves a query along minus the gradient of its loss, without the factor 1 / tau", () => {
    const trainer = new Trainer(dimension, 11, 64);
    for (let step = 0; step < 40; step += 1) trainer.step(DEFAULTS);
    const anchor = 2;
    const tau = 0.2;
    const pull = [...trainer.pull(anchor, tau)];
    const query = row(trainer.queries, anchor, dimension);
    const loss = (shifted: number[]): number => {
      const length = Math.hypot(...shifted);
      const dot = (at: (axis: number) => number) => shifted.reduce((sum, x, axis) => sum + (x / length) * at(axis), 0);
      const negatives = Array.from({ length: trainer.queue.length }, (_, age) =>
        dot((axis) => trainer.queue.at(age, axis)),
      );
      return infoNce(
        dot((axis) => trainer.keys[anchor * dimension + axis]!),
        negatives,
        tau,
      );
    };
    for (let axis = 0; axis < dimension; axis += 1) {
      const step = 1e-5;
      const [up, down] = [step, -step].map((by) => loss(query.map((x, index) => (index === axis ? x + by : x))));
      expect(pull[axis]).toBeCloseTo((-tau * (up! - down!)) / (2 * step), 7);
    }
  });

  it("never gives a number that is none, at any end of its settings", () => {
    for (const tau of [0.01, 1]) {
      for (const m of [0, 0.5, 1]) {
        for (const k of [1, 1024]) {
          for (const eta of [0, 1]) {
            const trainer = new Trainer(dimension, 5, k);
            for (let step = 0; step < 200; step += 1) {
              const { loss, positive, negative } = trainer.step({ tau, m, k, eta });
              expect([loss, positive, negative ?? 0].every(Number.isFinite)).toBe(true);
            }
            expect([...trainer.queries, ...trainer.keys].every(Number.isFinite)).toBe(true);
          }
        }
      }
    }
  });
});

describe("one step", () => {
  it("costs nothing while the queue is empty, and moves only the key of the anchor", () => {
    const trainer = new Trainer(2, 1, 64);
    const queries = trainer.queries.slice();
    const standing = trainer.step(DEFAULTS);
    expect(standing.loss).toBe(0);
    expect(standing.negative).toBeNull();
    expect(trainer.queries).toEqual(queries);
    expect(trainer.queue.length).toBe(1);
    expect(trainer.queue.label(0)).toBe(standing.anchor);
  });

  it("freezes the keys at m = 1 and copies the query at m = 0", () => {
    const frozen = new Trainer(2, 4, 8);
    const keys = frozen.keys.slice();
    for (let step = 0; step < 30; step += 1) frozen.step({ ...DEFAULTS, m: 1, k: 8 });
    for (const [index, key] of keys.entries()) expect(frozen.keys[index]).toBeCloseTo(key, 12);

    const copied = new Trainer(2, 4, 8);
    const { anchor } = copied.step({ ...DEFAULTS, m: 0, k: 8 });
    expect(copied.positive(anchor)).toBeCloseTo(1, 12);
  });

  it("keeps a key where the moving average has no direction", () => {
    const trainer = new Trainer(2, 1, 8);
    for (let label = 0; label < CLASSES; label += 1) {
      trainer.queries.set([1, 0], 2 * label);
      trainer.keys.set([-1, 0], 2 * label);
    }
    const { anchor } = trainer.step({ ...DEFAULTS, m: 0.5, k: 8 });
    expect(row(trainer.keys, anchor, 2)).toEqual([-1, 0]);
  });
});

describe("the jump that is drawn", () => {
  it.each([2, 3] as const)("is the one that the next step takes, in %i dimensions", (dimension) => {
    const trainer = new Trainer(dimension, 3, 16);
    const settings = { ...DEFAULTS, k: 16 };
    for (let step = 0; step < 40; step += 1) trainer.step(settings);
    const jumps = Array.from({ length: CLASSES }, (_, label) => trainer.jump(label, settings));
    const before = trainer.queries.slice();
    const { anchor } = trainer.step(settings);

    const { direction, angle } = jumps[anchor]!;
    expect(angle).toBeGreaterThan(0.001);
    for (let axis = 0; axis < dimension; axis += 1) {
      const from = before[anchor * dimension + axis]!;
      const to = Math.cos(angle) * from + Math.sin(angle) * direction[axis]!;
      expect(trainer.queries[anchor * dimension + axis]).toBeCloseTo(to, 12);
    }
  });

  it("has no length where nothing pulls", () => {
    expect(new Trainer(3, 1, 8).jump(0, DEFAULTS)).toEqual({ direction: [0, 0, 0], angle: 0 });
  });
});

describe("about one queue entry in six", () => {
  it("is an old key of the anchor itself", () => {
    const trainer = new Trainer(2, 1, 1024);
    let found = 0;
    let negatives = 0;
    for (let step = 0; step < 3000; step += 1) {
      const standing = trainer.step({ ...DEFAULTS, k: 1024 });
      found += standing.falseNegatives;
      negatives += standing.negatives;
    }
    expect(found / negatives).toBeCloseTo(1 / 6, 2);
  });
});
