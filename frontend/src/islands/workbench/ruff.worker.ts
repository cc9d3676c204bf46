/** Ruff in a worker, so that typing never waits for it. Answers `{id, source}` with `{id, diagnostics}`. */

import init, { type Diagnostic, PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-web";

export interface LintRequest {
  readonly id: number;
  readonly source: string;
}

export interface LintAnswer {
  readonly id: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Syntax errors, names that do not exist, and mistakes that are never meant; nothing about style. */
const SETTINGS = {
  "target-version": "py311",
  lint: { select: ["E9", "F", "B006", "B008", "B015", "B018", "PLE"], ignore: ["F401", "F403", "F405"] },
};

const workspace = init().then(() => new Workspace(SETTINGS, PositionEncoding.Utf16));

self.addEventListener("message", (event: MessageEvent<LintRequest>) => {
  const { id, source } = event.data;
  workspace.then(
    (ruff) => {
      const answer: LintAnswer = { id, diagnostics: ruff.check(source) as Diagnostic[] };
      self.postMessage(answer);
    },
    (error: unknown) => {
      throw error;
    },
  );
});
