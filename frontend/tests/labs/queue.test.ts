import { describe, expect, it } from "vitest";
import { fixed, share, short } from "../../src/lib/labs/figures";
import { histogram } from "../../src/lib/labs/histogram";
import { History, RECENT } from "../../src/lib/labs/history";
import { KeyQueue, LARGEST_QUEUE } from "../../src/lib/labs/queue";
import { cameraPosition, orbited, screenAngle, wrapDegrees, zoomed } from "../../src/lib/labs/view";

function labels(queue: KeyQueue): number[] {
  return Array.from({ length: queue.length }, (_, age) => queue.label(age));
}

describe("the queue", () => {
  it("lets the oldest leave when it is full", () => {
    const queue = new KeyQueue(2, 3);
    for (let label = 0; label < 5; label += 1) queue.push([label, -label], 0, label);
    expect(labels(queue)).toEqual([4, 3, 2]);
    expect([queue.at(0, 0), queue.at(2, 1)]).toEqual([4, -2]);
  });

  it("lets the oldest leave at once when it gets smaller, and grows again from the newest", () => {
    const queue = new KeyQueue(2, 5);
    for (let label = 0; label < 5; label += 1) queue.push([0, 1], 0, label);
    queue.limit = 2;
    expect(labels(queue)).toEqual([4, 3]);
    queue.limit = 3;
    queue.push([0, 1], 0, 9);
    expect(labels(queue)).toEqual([9, 4, 3]);
  });

  it("goes around its storage many times", () => {
    const queue = new KeyQueue(3, LARGEST_QUEUE);
    for (let step = 0; step < 3 * LARGEST_QUEUE + 7; step += 1) queue.push([step, 0, 0], 0, step % 6);
    expect(queue.length).toBe(LARGEST_QUEUE);
    expect(queue.at(0, 0)).toBe(3 * LARGEST_QUEUE + 6);
    expect(queue.at(LARGEST_QUEUE - 1, 0)).toBe(2 * LARGEST_QUEUE + 7);
    expect(queue.count(0) + queue.count(1) + queue.count(2)).toBeCloseTo(LARGEST_QUEUE / 2, -1);
  });

  it.each([0, 1.5, LARGEST_QUEUE + 1, NaN])("refuses a size of %d", (limit) => {
    expect(() => new KeyQueue(2, limit)).toThrow("A queue holds 1 to 1024 keys");
  });
});

describe("the histogram", () => {
  it("counts true and false negatives apart, and loses none", () => {
    const bins = histogram([-1, -0.95, 0, 0.05, 1, 1], (index) => index === 5, 20);
    expect(bins).toHaveLength(20);
    expect(bins[0]).toEqual({ from: -1, to: -0.9, trueNegatives: 2, falseNegatives: 0 });
    expect(bins[10]).toMatchObject({ from: 0, trueNegatives: 2 });
    expect(bins[19]).toMatchObject({ to: 1, trueNegatives: 1, falseNegatives: 1 });
  });

  it("is empty without negatives", () => {
    expect(histogram([], () => false, 4).every((bin) => bin.trueNegatives === 0)).toBe(true);
  });
});

describe("the loss curve", () => {
  const standing = { anchor: 0, positive: 0.5, negative: 0.1, negatives: 4, falseNegatives: 1 };

  it("has a point for each step, and its mean over the last hundred", () => {
    const history = new History();
    expect(history.recent).toEqual({ loss: null, positive: null, negative: null });
    history.add({ ...standing, loss: 2, negative: null });
    history.add({ ...standing, loss: 4 });
    expect(history.curve).toEqual({ steps: [1, 2], loss: [2, 4], mean: [2, 3] });
    expect(history.recent).toEqual({ loss: 3, positive: 0.5, negative: 0.1 });
    for (let step = 0; step < RECENT; step += 1) history.add({ ...standing, loss: 1 });
    expect(history.recent.loss).toBe(1);
  });

  it("stays short however long the run is, and keeps the mean of all steps", () => {
    const history = new History();
    for (let step = 1; step <= 16_000; step += 1) history.add({ ...standing, loss: step % 2 });
    expect(history.curve.steps.length).toBeLessThan(1000);
    expect(history.curve.steps.at(-1)).toBe(16_000);
    expect(new Set(history.curve.loss)).toEqual(new Set([0.5]));
    expect(history.stride).toBe(32);
  });
});

describe("the view", () => {
  it("wraps angles", () => {
    expect([0, 180, 181, -181, 720, -90].map(wrapDegrees)).toEqual([0, 180, -179, 179, 0, -90]);
  });

  it("measures angles upwards on a screen that counts downwards", () => {
    expect(screenAngle(0, -1, 0, 0)).toBe(90);
    expect(screenAngle(5, 3, 3, 3)).toBe(0);
  });

  it("orbits by half a turn across the picture, and not over the poles", () => {
    const view = { longitude: 0, latitude: 20, zoom: 1 };
    expect(orbited(view, -400, 0, 400).longitude).toBe(180);
    expect(orbited(view, 0, 4000, 400).latitude).toBe(85);
    expect(zoomed(view, 100).zoom).toBe(3);
    expect(zoomed(view, 0).zoom).toBe(0.6);
  });

  it("puts the camera on a sphere around the middle", () => {
    expect(cameraPosition({ longitude: 0, latitude: 0, zoom: 1 }, 4)).toEqual([0, 0, 4]);
    expect(Math.hypot(...cameraPosition({ longitude: 77, latitude: -40, zoom: 1 }, 3))).toBeCloseTo(3, 12);
  });
});

describe("numbers on the page", () => {
  it("are never something that is not a number", () => {
    expect([null, NaN, Infinity, -Infinity].map((value) => fixed(value, 2))).toEqual(["–", "–", "–", "–"]);
    expect(short(NaN)).toBe("–");
  });

  it("have a real minus sign, and none on zero", () => {
    expect([fixed(-0.25, 2), fixed(-0.001, 2), fixed(1.005, 1)]).toEqual(["−0.25", "0.00", "1.0"]);
    expect(short(-0.30000000001)).toBe("−0.3");
  });

  it("say shares in words and percent", () => {
    expect([share(11, 64), share(0, 0)]).toEqual(["11 of 64 (17 %)", "0 of 0"]);
  });
});
