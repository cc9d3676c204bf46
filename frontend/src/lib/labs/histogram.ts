/** How many of the negatives have which cosine similarity, true and false negatives apart. */

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

/** `bins` equal bins from -1 to 1; a similarity on an edge belongs to the bin above it, and 1 to the last. */
export function histogram(
  similarities: ArrayLike<number>,
  isFalse: (index: number) => boolean,
  bins = 20,
): readonly Bin[] {
  const counts = Array.from({ length: bins }, () => ({ trueNegatives: 0, falseNegatives: 0 }));
  for (let index = 0; index < similarities.length; index += 1) {
    const place = Math.floor(((similarities[index]! + 1) / 2) * bins);
    const bin = counts[Math.min(bins - 1, Math.max(0, place))]!;
    if (isFalse(index)) bin.falseNegatives += 1;
    else bin.trueNegatives += 1;
  }
  return counts.map((count, index) => ({
    from: -1 + (2 * index) / bins,
    to: -1 + (2 * (index + 1)) / bins,
    ...count,
  }));
}
