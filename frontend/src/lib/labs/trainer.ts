/**
 * Momentum contrast with six classes on the unit circle (dimension 2) or the unit sphere (dimension 3).
 *
 * One step: a class is drawn as the anchor; its own key is the positive, the keys in the queue are the negatives. With
 * `p = softmax(similarity / tau)` the query moves by `eta` times the tangential part of `(1 - p+) k+ - sum p_i k_i`, back
 * onto the sphere. The key of that class follows as a moving average, never by a gradient, and enters the queue. The
 * factor `1 / tau` of the loss's gradient is part of `eta`.
 */

import { infoNce } from "./infonce";
import { KeyQueue, LARGEST_QUEUE } from "./queue";
import { type Random, seeded } from "./random";

export const CLASSES = 6;
export type Dimension = 2 | 3;

export interface TrainerSettings {
  /** Temperature, above 0. */
  readonly tau: number;
  /** Momentum, from 0 to 1. */
  readonly m: number;
  /** Size of the queue, 1 to 1024. */
  readonly k: number;
  /** Step size, not negative. */
  readonly eta: number;
}

/** How one class stands among the keys in the queue. */
export interface Standing {
  readonly anchor: number;
  readonly loss: number;
  /** Cosine similarity of the query and its own key. */
  readonly positive: number;
  /** Mean cosine similarity of the query and the keys in the queue; null while the queue is empty. */
  readonly negative: number | null;
  readonly negatives: number;
  /** How many of the negatives are older keys of the anchor's own class. */
  readonly falseNegatives: number;
}

/** A movement along a great circle. */
export interface Jump {
  /** A unit vector, tangential where the movement begins; zeros where there is none. */
  readonly direction: readonly number[];
  readonly angle: number;
}

export class Trainer {
  /** Row `c` is the query of class `c`. */
  readonly queries: Float64Array;
  readonly keys: Float64Array;
  readonly queue: KeyQueue;
  steps = 0;

  private readonly random: Random;
  private readonly similarities = new Float64Array(LARGEST_QUEUE);
  private readonly pullVector: Float64Array;

  constructor(
    readonly dimension: Dimension,
    readonly seed: number,
    queueSize: number,
  ) {
    this.random = seeded(seed);
    this.queries = new Float64Array(CLASSES * dimension);
    this.keys = new Float64Array(CLASSES * dimension);
    this.pullVector = new Float64Array(dimension);
    this.queue = new KeyQueue(dimension, queueSize);
    for (let label = 0; label < CLASSES; label += 1) {
      this.place(this.queries, label);
      this.place(this.keys, label);
    }
  }

  /** One training step. What it returns is the state in which the loss was taken: before anything moved. */
  step(settings: TrainerSettings): Standing {
    this.queue.limit = settings.k;
    const anchor = Math.floor(this.random() * CLASSES);
    const standing = this.standing(anchor, settings.tau);
    const pull = this.pull(anchor, settings.tau);
    const row = anchor * this.dimension;
    for (let axis = 0; axis < this.dimension; axis += 1) {
      this.queries[row + axis] = this.queries[row + axis]! + settings.eta * pull[axis]!;
    }
    normalizeRow(this.queries, row, this.dimension);
    this.follow(row, settings.m);
    this.queue.push(this.keys, row, anchor);
    this.steps += 1;
    return standing;
  }

  /** How class `anchor` stands now. */
  standing(anchor: number, tau: number): Standing {
    const similarities = this.compare(anchor);
    const positive = this.positive(anchor);
    let total = 0;
    for (let index = 0; index < similarities.length; index += 1) total += similarities[index]!;
    return {
      anchor,
      loss: infoNce(positive, similarities, tau),
      positive,
      negative: similarities.length === 0 ? null : total / similarities.length,
      negatives: similarities.length,
      falseNegatives: this.queue.count(anchor),
    };
  }

  /** Cosine similarities of the query of class `anchor` to the keys in the queue, the newest first. A fresh array. */
  negativeSimilarities(anchor: number): Float64Array {
    return this.compare(anchor).slice();
  }

  /** Cosine similarity of a query to its own key. */
  positive(anchor: number): number {
    const row = anchor * this.dimension;
    let sum = 0;
    for (let axis = 0; axis < this.dimension; axis += 1) sum += this.queries[row + axis]! * this.keys[row + axis]!;
    return clampCosine(sum);
  }

  /**
   * The tangential part of `(1 - p+) k+ - sum p_i k_i` at the query of class `anchor`: minus the loss's gradient on the
   * sphere, times `tau`. The array is used again by the next call.
   */
  pull(anchor: number, tau: number): Float64Array {
    const { dimension, pullVector: pull, queue } = this;
    const similarities = this.compare(anchor);
    const positive = this.positive(anchor);
    let highest = positive;
    for (let age = 0; age < similarities.length; age += 1) highest = Math.max(highest, similarities[age]!);
    const own = Math.exp((positive - highest) / tau);
    let total = own;
    pull.fill(0);
    for (let age = 0; age < similarities.length; age += 1) {
      const weight = Math.exp((similarities[age]! - highest) / tau);
      total += weight;
      for (let axis = 0; axis < dimension; axis += 1) pull[axis] = pull[axis]! - weight * queue.at(age, axis);
    }
    const row = anchor * dimension;
    let along = 0;
    for (let axis = 0; axis < dimension; axis += 1) {
      pull[axis] = pull[axis]! / total + ((total - own) / total) * this.keys[row + axis]!;
      along += pull[axis]! * this.queries[row + axis]!;
    }
    for (let axis = 0; axis < dimension; axis += 1) {
      pull[axis] = pull[axis]! - along * this.queries[row + axis]!;
    }
    return pull;
  }

  /** Where the next step would take the query of class `anchor`: a direction along the sphere, and an angle in radians. */
  jump(anchor: number, settings: Pick<TrainerSettings, "tau" | "eta">): Jump {
    const pull = this.pull(anchor, settings.tau);
    const length = Math.hypot(...pull);
    const direction = Array.from(pull, (value) => (length > 0 ? value / length : 0));
    return { direction, angle: Math.atan(settings.eta * length) };
  }

  /** A view on the similarities of one query to the queue; the next call overwrites it. */
  private compare(anchor: number): Float64Array {
    const { dimension, queue } = this;
    const row = anchor * dimension;
    for (let age = 0; age < queue.length; age += 1) {
      let sum = 0;
      for (let axis = 0; axis < dimension; axis += 1) sum += this.queries[row + axis]! * queue.at(age, axis);
      this.similarities[age] = clampCosine(sum);
    }
    return this.similarities.subarray(0, queue.length);
  }

  private follow(row: number, m: number): void {
    const { dimension, keys, queries } = this;
    const before = keys.slice(row, row + dimension);
    for (let axis = 0; axis < dimension; axis += 1) {
      keys[row + axis] = m * keys[row + axis]! + (1 - m) * queries[row + axis]!;
    }
    // Opposite vectors can cancel out; then there is no direction to follow, and the key stays.
    if (!normalizeRow(keys, row, dimension)) keys.set(before, row);
  }

  /** A random point of the circle or the sphere, all equally likely. */
  private place(matrix: Float64Array, label: number): void {
    const row = label * this.dimension;
    const angle = 2 * Math.PI * this.random();
    const height = this.dimension === 3 ? 2 * this.random() - 1 : 0;
    const width = Math.sqrt(1 - height * height);
    matrix[row] = width * Math.cos(angle);
    matrix[row + 1] = width * Math.sin(angle);
    if (this.dimension === 3) matrix[row + 2] = height;
  }
}

/** Divides a row by its length; false, and nothing done, where there is none. */
function normalizeRow(matrix: Float64Array, row: number, dimension: number): boolean {
  let sum = 0;
  for (let axis = 0; axis < dimension; axis += 1) sum += matrix[row + axis]! ** 2;
  const length = Math.sqrt(sum);
  if (!(length > 1e-12)) return false;
  for (let axis = 0; axis < dimension; axis += 1) matrix[row + axis] = matrix[row + axis]! / length;
  return true;
}

/** Rounding can carry the product of two unit vectors a little beyond 1. */
function clampCosine(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
