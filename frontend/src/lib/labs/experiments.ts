/** The figures of the four experiments on InfoNCE. */

import { collapsedLoss, cosine, infoNce, softmax } from "./infonce";
import { normals, seeded } from "./random";

/** One anchor at angle 0 and candidates on the circle, the first of them the positive. */
export function onePositive(angles: readonly number[], tau: number) {
  const similarities = angles.map((angle) => cosine(angle, 0));
  return {
    similarities,
    probabilities: [...softmax(similarities, tau)],
    loss: infoNce(similarities[0]!, similarities.slice(1), tau),
    /** What every candidate gets when nothing tells them apart. */
    collapsed: 1 / angles.length,
  };
}

/** What one temperature makes of similarities, the first of them the positive's. */
export function temperatureRow(similarities: readonly number[], tau: number) {
  const negatives = similarities.slice(1);
  const probabilities = [...softmax(similarities, tau)];
  const hardest = 1 + negatives.indexOf(Math.max(...negatives));
  return {
    tau,
    probabilities,
    loss: infoNce(similarities[0]!, negatives, tau),
    /** The place of the most similar negative. */
    hardest,
    /** By how much the loss grows with the similarity of that negative: `p / tau`. */
    hardGradient: probabilities[hardest]! / tau,
  };
}

export interface Scores {
  readonly positive: number;
  readonly positiveSpread: number;
  readonly negative: number;
  readonly negativeSpread: number;
}

/** The numbers of candidates 2, 4, 8 ... `2 ** largest`. */
export function dictionarySizes(largest: number): number[] {
  return Array.from({ length: largest }, (_, index) => 2 ** (index + 1));
}

/** Standard normal numbers for `trials` trials of `2 ** largest` candidates, the positive's first in each. */
export function drawnScores(seed: number, trials: number, largest: number): Float64Array {
  return normals(seeded(seed), trials * 2 ** largest);
}

/**
 * The mean loss over trials for every dictionary size. All sizes share their draws: a smaller dictionary is the beginning of
 * a larger one, so that the curve is smooth with few trials.
 */
export function dictionaryLosses(drawn: Float64Array, trials: number, largest: number, scores: Scores, tau: number) {
  const candidates = 2 ** largest;
  const sums = new Float64Array(largest);
  for (let trial = 0; trial < trials; trial += 1) {
    const start = trial * candidates;
    const positive = scores.positive + scores.positiveSpread * drawn[start]!;
    // The sum of exp(gap) so far, as `total * exp(highest)`.
    let highest = 0;
    let total = 1;
    let size = 0;
    for (let place = 1; place < candidates; place += 1) {
      const gap = (scores.negative + scores.negativeSpread * drawn[start + place]! - positive) / tau;
      if (gap > highest) {
        total = total * Math.exp(highest - gap) + 1;
        highest = gap;
      } else total += Math.exp(gap - highest);
      if (place + 1 === 2 ** (size + 1)) {
        sums[size] = sums[size]! + highest + Math.log(total);
        size += 1;
      }
    }
  }
  return dictionarySizes(largest).map((size, index) => {
    const loss = sums[index]! / trials;
    const collapsed = collapsedLoss(size);
    return { size, loss, collapsed, bound: collapsed - loss };
  });
}

/** What a negative does to the loss that is really of the anchor's class, when it has that similarity. */
export function falseNegative(similarity: number, positive: number, negatives: readonly number[], tau: number) {
  const probabilities = softmax([positive, similarity, ...negatives], tau);
  return {
    similarity,
    loss: infoNce(positive, [similarity, ...negatives], tau),
    probability: probabilities[1]!,
    /** By how much the loss grows with that similarity: `p / tau`, the push away from a relative. */
    gradient: probabilities[1]! / tau,
  };
}

/** `count` equal steps from `from` to `to`, both included. */
export function sweep(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}
