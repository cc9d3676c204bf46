/** How rows of a table are put in order by the words of one column. */

/** The number that a cell shows, or null where it shows none: "–", "·". Below one percent comes between 0 and 1. */
export function numberIn(text: string): number | null {
  const found = /^([<>]?)\s*(-?[\d,]+(?:\.\d+)?)/.exec(text.trim().replace("\u2212", "-"));
  if (found === null) return null;
  const value = Number(found[2]!.replaceAll(",", ""));
  return found[1] === "<" ? value - 0.5 : found[1] === ">" ? value + 0.5 : value;
}

/** The places of `texts` in order. Equal ones stay as they are, and what shows nothing comes last both ways. */
export function sorted(texts: readonly string[], descending: boolean): number[] {
  const numbers = texts.map(numberIn);
  const areNumbers = numbers.some((number) => number !== null);
  const way = descending ? -1 : 1;
  return texts
    .map((_, place) => place)
    .sort((one, other) => {
      if (!areNumbers) return way * texts[one]!.localeCompare(texts[other]!);
      const [a, b] = [numbers[one]!, numbers[other]!];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return way * (a - b);
    });
}
