import { describe, expect, it } from "vitest";
import { dayMarks, dayParts, runPoints } from "../src/lib/charts";
import { csvOf, pictureSource } from "../src/lib/saving";

const RUNS: (string | number)[][] = [
  ["2026-03-01T20:00:00+00:00", 1, 2, 3, "wrong_answer"],
  ["2026-03-01T21:00:00+00:00", 2, 0, 0, "judge_error"],
  ["2026-03-02T09:00:00+00:00", 3, 3, 3, "accepted"],
];

describe("the charts of the workspace", () => {
  it("stacks a day in its parts", () => {
    expect(dayParts([["2026-03-01", 1, 2, 0]]).map(({ part, runs }) => [part, runs])).toEqual([
      ["solved", 1],
      ["not solved", 2],
      ["our fault", 0],
    ]);
  });

  it("leaves out runs without a result, and keeps their place", () => {
    expect(runPoints(RUNS).map(({ place, number, share, look }) => [place, number, share, look])).toEqual([
      [1, 1, 2 / 3, "failed"],
      [3, 3, 1, "solved"],
    ]);
  });

  it("marks days that are far enough apart", () => {
    expect(dayMarks(runPoints(RUNS), 1)).toEqual([
      { place: 1, text: "1 Mar" },
      { place: 3, text: "2 Mar" },
    ]);
    expect(dayMarks(runPoints(RUNS), 5)).toEqual([{ place: 1, text: "1 Mar" }]);
  });
});

describe("what is saved", () => {
  it("quotes where a table needs it, and disarms formulas", () => {
    expect(
      csvOf(
        ["a", "b"],
        [
          ["x,y", '"'],
          ["=1", -2],
        ],
      ),
    ).toBe('a,b\r\n"x,y",""""\r\n\'=1,-2\r\n');
  });

  it("is a picture that stands alone", () => {
    const source = pictureSource("<g/>", { title: "A < B", width: 100, height: 50, paper: "#fff", ink: "#000" });
    expect(source).toContain('width="132" height="114"');
    expect(source).toContain("A &lt; B");
    expect(source).toContain("<g/>");
  });
});
