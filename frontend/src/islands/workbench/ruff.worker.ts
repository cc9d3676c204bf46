/** Ruff in a worker, so that typing never waits for it. Answers `{id, source}` with `{id, diagnostics}`. */

import init, { type Diagnostic, PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-web";

export interface LintRequest {
  readonly id: number;
  readonly source: string;
}

export interface LintAnswer {
  readonly id: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing was linted. The next request tries again. */
  readonly fault?: string;
}

/** Syntax errors, names that do not exist, and mistakes that are never meant; nothing about style. */
const SETTINGS = {
  "target-version": "py311",
  lint: { select: ["E9", "F", "B006", "B008", "B015", "B018", "PLE"], ignore: ["F401", "F403", "F405"] },
};

let loading: Promise<Workspace> | null = null;

async function load(): Promise<Workspace> {
  await init();
  return new Workspace(SETTINGS, PositionEncoding.Utf16);
}

async function lint(source: string): Promise<Omit<LintAnswer, "id">> {
  try {
    const workspace = await (loading ??= load());
    return { diagnostics: workspace.check(source) as Diagnostic[] };
  } catch (error) {
    loading = null; // it is four megabytes, and the connection may be lost on the way
    return { diagnostics: [], fault: String(error) };
  }
}

self.addEventListener("message", async ({ data }: MessageEvent<LintRequest>) => {
  const answer: LintAnswer = { id: data.id, ...(await lint(data.source)) };
  self.postMessage(answer);
});
