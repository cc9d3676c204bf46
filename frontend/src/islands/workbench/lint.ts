/** Lints while the learner types. Loaded after the editor stands, since Ruff is large; without it nothing else changes. */

import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { LintAnswer, LintRequest } from "./ruff.worker";

interface Location {
  readonly row: number;
  readonly column: number;
}

function offset(text: Text, location: Location): number {
  const line = text.line(Math.min(Math.max(1, location.row), text.lines));
  return Math.min(line.from + Math.max(0, location.column - 1), line.to);
}

function toDiagnostics(text: Text, answer: LintAnswer): Diagnostic[] {
  return answer.diagnostics.map((found) => {
    const from = offset(text, found.start_location);
    const syntax = found.code === null || found.code === "invalid-syntax";
    return {
      from,
      to: Math.max(from, offset(text, found.end_location)),
      severity: syntax || found.code?.startsWith("F8") === true ? "error" : "warning",
      source: syntax ? "Python" : (found.code ?? "Ruff"),
      message: found.message,
    };
  });
}

/** The extension that lints; the worker starts with the first pause in typing. */
export function ruffLinter(): Extension {
  let worker: Worker | null = null;
  let nextId = 0;
  const waiting = new Map<number, (answer: LintAnswer) => void>();

  function start(): Worker {
    const started = new Worker(new URL("./ruff.worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<LintAnswer>) => {
      if (data.fault !== undefined) console.warn("The code is not linted.", data.fault);
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    // Its script did not come. The next pause in typing begins anew: the connection may be there again.
    started.addEventListener("error", (event) => {
      started.terminate();
      worker = null;
      for (const [id, answer] of waiting) answer({ id, diagnostics: [] });
      waiting.clear();
      console.warn("The code is not linted.", event.message);
    });
    return started;
  }

  async function lint(view: EditorView): Promise<Diagnostic[]> {
    const running = (worker ??= start());
    const text = view.state.doc;
    const request: LintRequest = { id: nextId++, source: text.toString() };
    const answer = await new Promise<LintAnswer>((resolve) => {
      waiting.set(request.id, resolve);
      running.postMessage(request);
    });
    return toDiagnostics(text, answer);
  }

  return [linter(lint, { delay: 350 }), lintGutter()];
}
