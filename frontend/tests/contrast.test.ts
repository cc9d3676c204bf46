import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../src/styles/tokens.css", import.meta.url), "utf8");
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function token(name: string, theme: Theme): string {
  const reference = new RegExp(`--${name}: var\\(--([a-z-]+)\\);`).exec(css);
  if (reference?.[1] !== undefined) return token(reference[1], theme);
  const match = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css);
  if (match?.[1] === undefined || match[2] === undefined) throw new Error(`tokens.css has no color --${name}`);
  return theme === "light" ? match[1] : match[2];
}

/** Relative luminance, as WCAG 2 defines it. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: string, ground: string): number {
  const [lighter = 0, darker = 0] = [luminance(text), luminance(ground)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const READ_ON_PAGES = ["ink", "ink-muted", "accent", "accent-strong", "passed", "failed", "waiting"];
const CODE = ["code-keyword", "code-string", "code-number", "code-comment", "ink"];
const PAIRS: [string, string][] = [
  ...READ_ON_PAGES.flatMap((text): [string, string][] => [
    [text, "paper"],
    [text, "surface"],
  ]),
  ...CODE.flatMap((text): [string, string][] => [
    [text, "surface"],
    [text, "active-line"],
  ]),
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["failed", "failed-tint"],
  ["ink", "waiting-tint"],
  ["ink", "selection"],
  ["ink", "mark"],
  ["ink", "target"],
  ["code-comment", "target"],
];

describe.each(THEMES)("in the %s theme", (theme) => {
  it.each(PAIRS)("%s can be read on %s", (text, ground) => {
    expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["paper", "surface"])("the edges of controls are seen on %s", (ground) => {
    expect(contrast(token("rule-strong", theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });
});
