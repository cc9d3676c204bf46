import { expect, it } from "vitest";
import { pollDelay, retryDelay } from "../src/lib/polling";

it("asks often at first, then every second, then every other second", () => {
  expect([0, 1_999, 2_000, 5_000, 29_999, 30_000, 3_600_000].map(pollDelay)).toEqual([
    120, 120, 300, 1_000, 1_000, 2_000, 2_000,
  ]);
});

it("waits longer after each attempt without an answer, but never more than ten seconds", () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(retryDelay)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});
