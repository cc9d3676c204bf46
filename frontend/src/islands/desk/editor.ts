/** One editor for all files of a package: each keeps its own history, place and language. */

import { pythonLanguage } from "@codemirror/lang-python";
import { defineLanguageFacet, Language as EditedLanguage, LanguageSupport } from "@codemirror/language";
import { type Diagnostic, forceLinting, linter, lintGutter } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, Prec, StateEffect } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { parser as markdownParser } from "@lezer/markdown";
import { languageOf, type Complaint, type Language } from "../../lib/desk";
import { loaded } from "../../lib/loaded";
import { goOn, type Handover } from "../handover";
import { editing, goToLine } from "../workbench/editor";

interface Options {
  readonly parent: HTMLElement;
  readonly cspNonce: string;
  readonly onChange: (path: string, text: string) => void;
  readonly onSave: () => void;
  readonly onVerify: () => void;
}

const complaintsChanged = StateEffect.define<null>();

export class PackageEditor {
  private readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private readonly ruff = new Compartment();
  private readonly linted = new Set<string>();
  private linter: Extension | undefined;
  private path = "";
  private complaints: readonly Complaint[] = [];

  constructor(private readonly options: Options) {
    this.view = new EditorView({ parent: options.parent, extensions: EditorView.cspNonce.of(options.cspNonce) });
  }

  /** Shows a file, as it was left, or with `text` when it is shown for the first time. */
  show(path: string, text: string): void {
    if (this.path !== "" && this.states.has(this.path)) this.states.set(this.path, this.view.state);
    this.path = path;
    const state = this.states.get(path) ?? this.create(path, text);
    this.states.set(path, state);
    this.view.setState(state);
    if (languageOf(path) === "python") this.lintPython();
    this.refresh();
  }

  /** Forgets what it knew of a file: the next time, it is shown with the text that is given then. */
  forget(path: string): void {
    this.states.delete(path);
    this.linted.delete(path);
    if (this.path === path) this.path = "";
  }

  /** Marks the lines of the file that is shown. */
  complain(complaints: readonly Complaint[]): void {
    this.complaints = complaints;
    this.refresh();
  }

  goToLine(line: number): void {
    goToLine(this.view, line);
  }

  /** Goes on where somebody was in the plain form. */
  goOn(selection: Handover["selection"]): void {
    goOn(this.view, selection);
  }

  destroy(): void {
    this.view.destroy();
  }

  private refresh(): void {
    if (this.path === "") return;
    this.view.dispatch({ effects: complaintsChanged.of(null) });
    forceLinting(this.view);
  }

  private create(path: string, text: string): EditorState {
    const { cspNonce, onChange, onSave, onVerify } = this.options;
    const run = (action: () => void) => (): boolean => {
      action();
      return true;
    };
    return EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: "Mod-s", run: run(onSave), preventDefault: true },
            { key: "Mod-Enter", run: run(onVerify), preventDefault: true, stopPropagation: true },
          ]),
        ),
        editing(cspNonce, { "aria-label": path }),
        support(languageOf(path)),
        EditorView.lineWrapping,
        lintGutter(),
        linter(() => this.marks(), {
          delay: 200,
          needsRefresh: (update) =>
            update.transactions.some((transaction) =>
              transaction.effects.some((effect) => effect.is(complaintsChanged)),
            ),
        }),
        this.ruff.of([]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(this.path, update.state.doc.toString());
        }),
      ],
    });
  }

  private marks(): Diagnostic[] {
    const { doc } = this.view.state;
    return this.complaints
      .filter((complaint) => complaint.file === this.path)
      .map(({ line, reason, remedy, severity }) => {
        const place = doc.line(Math.min(Math.max(1, line ?? 1), doc.lines));
        return { from: place.from, to: place.to, severity, message: `${reason}; ${remedy}` };
      });
  }

  /** Ruff is four megabytes: it comes with the first file of Python. */
  private lintPython(): void {
    const { path } = this;
    if (this.linted.has(path)) return;
    loaded(() => import("../workbench/lint")).then(
      ({ ruffLinter }) => {
        if (this.path !== path || this.linted.has(path)) return;
        this.linted.add(path);
        this.linter ??= ruffLinter();
        this.view.dispatch({ effects: this.ruff.reconfigure(this.linter) });
      },
      (error: unknown) => console.warn("The code is not linted.", error),
    );
  }
}

/** The parser alone: the usual package for it brings HTML, CSS and JavaScript along. */
const markdown = new EditedLanguage(defineLanguageFacet(), markdownParser, [], "markdown");

/** TOML is written with Python's strings, numbers, comments and brackets, so that its colours are right for it too. */
function support(language: Language): Extension {
  switch (language) {
    case "python":
    case "toml":
      return new LanguageSupport(pythonLanguage);
    case "markdown":
      return new LanguageSupport(markdown);
    case "text":
      return [];
  }
}
