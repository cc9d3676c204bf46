/** What a training run leaves behind: a loss curve of bounded length, and means over the last steps. */

import type { Standing } from "./trainer";

const MOST_POINTS = 1000;
export const RECENT = 100;

/** The mean of the last `RECENT` numbers. */
class RecentMean {
  private readonly values: number[] = [];
  private next = 0;

  add(value: number): void {
    this.values[this.next] = value;
    this.next = (this.next + 1) % RECENT;
  }

  /** Null before the first number. */
  get mean(): number | null {
    if (this.values.length === 0) return null;
    return this.values.reduce((sum, value) => sum + value, 0) / this.values.length;
  }
}

export interface Curve {
  /** The number of the last step of each point. */
  readonly steps: number[];
  /** The mean loss of the steps since the point before. */
  readonly loss: number[];
  /** The mean loss of the last `RECENT` steps. */
  readonly mean: number[];
}

export class History {
  readonly curve: Curve = { steps: [], loss: [], mean: [] };
  last: Standing | null = null;
  /** Steps that one point of the curve stands for: doubled when the curve is full. */
  stride = 1;

  private readonly losses = new RecentMean();
  private readonly positives = new RecentMean();
  private readonly negatives = new RecentMean();
  private sum = 0;
  private steps = 0;

  add(standing: Standing): void {
    this.last = standing;
    this.steps += 1;
    this.losses.add(standing.loss);
    this.positives.add(standing.positive);
    if (standing.negative !== null) this.negatives.add(standing.negative);
    this.sum += standing.loss;
    if (this.steps % this.stride !== 0) return;
    this.curve.steps.push(this.steps);
    this.curve.loss.push(this.sum / this.stride);
    this.curve.mean.push(this.losses.mean ?? 0);
    this.sum = 0;
    if (this.curve.steps.length === MOST_POINTS) this.halve();
  }

  /** Means over the last `RECENT` steps; null while there is nothing to take the mean of. */
  get recent(): { loss: number | null; positive: number | null; negative: number | null } {
    return { loss: this.losses.mean, positive: this.positives.mean, negative: this.negatives.mean };
  }

  private halve(): void {
    const { steps, loss, mean } = this.curve;
    for (let index = 0; index < MOST_POINTS / 2; index += 1) {
      steps[index] = steps[2 * index + 1]!;
      loss[index] = (loss[2 * index]! + loss[2 * index + 1]!) / 2;
      mean[index] = mean[2 * index + 1]!;
    }
    steps.length = loss.length = mean.length = MOST_POINTS / 2;
    this.stride *= 2;
  }
}
