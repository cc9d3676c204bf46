/** Filtering the catalogue by typing. */

/** Lower case, without accents and punctuation, so that "Hénaff" is found by "henaff". */
export function normalizeText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, " ")
    .trim();
}

/** Whether every word of `query` begins a word of `text`. An empty query matches everything. */
export function matchesQuery(text: string, query: string): boolean {
  const words = normalizeText(text).split(" ");
  return normalizeText(query)
    .split(" ")
    .every((part) => words.some((word) => word.startsWith(part)));
}
