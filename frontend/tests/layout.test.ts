import { describe, expect, it } from "vitest";
import { clampShare, DEFAULT_LAYOUT, keyedShare, parseLayout } from "../src/lib/layout";

describe("a divider", () => {
  it("stays inside its bounds", () => {
    expect(clampShare("reading", 0.1)).toBe(0.25);
    expect(clampShare("reading", 0.9)).toBe(0.7);
    expect(clampShare("editor", 0.50049)).toBe(0.5);
    expect(clampShare("editor", Number.NaN)).toBe(DEFAULT_LAYOUT.editor);
  });

  it("moves with the arrow keys of its direction", () => {
    expect(keyedShare("reading", 0.5, "ArrowLeft", "x", false)).toBe(0.48);
    expect(keyedShare("reading", 0.5, "ArrowRight", "x", true)).toBe(0.6);
    expect(keyedShare("editor", 0.5, "ArrowDown", "y", false)).toBe(0.52);
    expect(keyedShare("editor", 0.5, "ArrowLeft", "y", false)).toBe(null);
  });

  it("jumps to its ends and back to where it was at first", () => {
    expect(keyedShare("editor", 0.5, "Home", "y", false)).toBe(0.15);
    expect(keyedShare("editor", 0.5, "End", "y", false)).toBe(0.85);
    expect(keyedShare("editor", 0.3, "Enter", "y", false)).toBe(DEFAULT_LAYOUT.editor);
  });
});

describe("the stored layout", () => {
  it("is read back", () => {
    expect(parseLayout('{"reading":0.4,"editor":0.7}')).toEqual({ reading: 0.4, editor: 0.7 });
  });

  it.each([null, "", "null", "7", "{", '{"reading":"wide"}', '{"reading":null,"editor":[]}'])(
    "falls back to the default for %s",
    (stored) => {
      expect(parseLayout(stored)).toEqual(DEFAULT_LAYOUT);
    },
  );

  it("is brought inside the bounds", () => {
    expect(parseLayout('{"reading":0,"editor":3}')).toEqual({ reading: 0.25, editor: 0.85 });
  });
});
