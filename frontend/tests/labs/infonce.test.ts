import { describe, expect, it } from "vitest";
import { collapsedLoss, cosine, infoNce, softmax } from "../../src/lib/labs/infonce";
import { normals, seeded } from "../../src/lib/labs/random";

describe("the InfoNCE loss", () => {
  it("has the value that one works out by hand", () => {
    expect(infoNce(1, [-1, 0], 0.5)).toBeCloseTo(Math.log(1 + Math.exp(-4) + Math.exp(-2)), 14);
  });

  it("is 0 without negatives, and the logarithm of the number of candidates when all are alike", () => {
    expect(infoNce(0.3, [], 0.2)).toBe(0);
    expect(infoNce(0.3, [0.3, 0.3, 0.3], 0.01)).toBeCloseTo(collapsedLoss(4), 14);
  });

  it("is minus the logarithm of the positive's probability", () => {
    const scores = [0.82, 0.72, 0.5, -0.1];
    expect(infoNce(scores[0]!, scores.slice(1), 0.1)).toBeCloseTo(-Math.log(softmax(scores, 0.1)[0]!), 12);
  });

  it.each([1e-3, 1e-6, 1e-300])("neither overflows nor loses everything at a temperature of %d", (tau) => {
    expect(infoNce(1, [-1, -0.5], tau)).toBe(0);
    expect(infoNce(-1, [1, 0.5], tau)).toBeCloseTo(2 / tau, 6);
    expect([...softmax([1, -1], tau)]).toEqual([1, 0]);
  });
});

describe("probabilities", () => {
  it("add up to 1, and there are none for no scores", () => {
    expect(softmax([0.3, 0.2, -0.9], 0.07).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 14);
    expect(softmax([], 0.2)).toHaveLength(0);
  });
});

describe("the cosine of two angles", () => {
  it("depends on their difference", () => {
    expect(cosine(30, 90)).toBeCloseTo(0.5, 14);
    expect(cosine(350, 10)).toBeCloseTo(cosine(0, 20), 14);
  });
});

describe("random numbers", () => {
  it("are the same for the same seed", () => {
    const [one, two] = [seeded(42), seeded(42)];
    expect(Array.from({ length: 5 }, one)).toEqual(Array.from({ length: 5 }, two));
    expect(Array.from({ length: 5 }, seeded(43))).not.toEqual(Array.from({ length: 5 }, seeded(42)));
  });

  it("are uniform", () => {
    const random = seeded(1);
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw += 1) counts[Math.floor(random() * 10)]! += 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it("are normal where that is asked for, also an odd number of them", () => {
    const values = normals(seeded(5), 100_001);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(variance).toBeCloseTo(1, 1);
    expect(values.every(Number.isFinite)).toBe(true);
  });
});
