/**
 * The InfoNCE loss of one anchor: `-log p+` with `p = softmax(similarity / temperature)` over its positive and its
 * negatives. Everything is shifted by the largest similarity, so that no temperature above 0 overflows.
 */

/** `log(1 + sum of exp((negative - positive) / temperature))`, which is 0 without negatives. */
export function infoNce(positive: number, negatives: ArrayLike<number>, temperature: number): number {
  let highest = 0;
  for (let index = 0; index < negatives.length; index += 1) {
    highest = Math.max(highest, (negatives[index]! - positive) / temperature);
  }
  let others = 0;
  for (let index = 0; index < negatives.length; index += 1) {
    others += Math.exp((negatives[index]! - positive) / temperature - highest);
  }
  return highest === 0 ? Math.log1p(others) : highest + Math.log(Math.exp(-highest) + others);
}

/** The probability of each score; they add up to 1. No scores give none. */
export function softmax(scores: ArrayLike<number>, temperature: number): Float64Array {
  const probabilities = new Float64Array(scores.length);
  let highest = -Infinity;
  for (let index = 0; index < scores.length; index += 1) highest = Math.max(highest, scores[index]!);
  let total = 0;
  for (let index = 0; index < scores.length; index += 1) {
    const weight = Math.exp((scores[index]! - highest) / temperature);
    probabilities[index] = weight;
    total += weight;
  }
  for (let index = 0; index < scores.length; index += 1) probabilities[index] = probabilities[index]! / total;
  return probabilities;
}

/** What an encoder pays that can't tell `candidates` apart. */
export function collapsedLoss(candidates: number): number {
  return Math.log(candidates);
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

export function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

/** The cosine similarity of two unit vectors of the plane, by their angles in degrees. */
export function cosine(first: number, second: number): number {
  return Math.cos(radians(first - second));
}
