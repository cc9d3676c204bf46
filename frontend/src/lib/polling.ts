/** When to ask the server again about a submission that is being judged. */

/** Most runs end within a second: ask often at first, then ever less. All in milliseconds. */
export function pollDelay(sinceStart: number): number {
  if (sinceStart < 2_000) return 120;
  if (sinceStart < 5_000) return 300;
  if (sinceStart < 30_000) return 1_000;
  return 2_000;
}

/** The wait before the next attempt after `failures` attempts in a row got no answer. */
export function retryDelay(failures: number): number {
  return Math.min(10_000, 500 * 2 ** Math.max(0, failures - 1));
}

/** After this long without an end, the report says what is going on. */
export const EXPLAIN_AFTER_MS = 10_000;
