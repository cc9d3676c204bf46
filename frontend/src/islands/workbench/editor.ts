/** The code editor: CodeMirror with Python. Its look is in `editor-theme.ts`. */

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { loaded } from "../../lib/loaded";
import { goOn, type Handover } from "../handover";
import { editorTheme } from "./editor-theme";

interface Options {
  readonly parent: HTMLElement;
  readonly source: string;
  /** Whether it is only looked at. */
  readonly readOnly: boolean;
  readonly cspNonce: string;
  readonly onChange: (source: string) => void;
  readonly onRun: () => void;
}

export interface Editor {
  source(): string;
  /** Replaces the whole text as one step that can be undone. */
  replace(source: string): void;
  goToLine(line: number): void;
  /** Goes on where somebody was in the plain form. */
  goOn(selection: Handover["selection"]): void;
  destroy(): void;
}

/**
 * Several lines that come as one input (dictation, snippets of a keyboard) are inserted here: the browser would merge them
 * into the page with style attributes, which the content security policy refuses.
 */
function insertLines(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== "insertText" || event.data === null || !event.data.includes("\n")) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { scrollIntoView: true, userEvent: "input" });
  return true;
}

/** What every code editor of the site has, whatever it is that is written. */
export function editing(cspNonce: string, contentAttributes: Record<string, string>): Extension[] {
  const searchPanel = new Compartment();
  const openSearch = (view: EditorView): boolean => {
    loaded(() => import("./search")).then(
      ({ searching, openSearchPanel }) => {
        view.dispatch({ effects: searchPanel.reconfigure(searching) });
        openSearchPanel(view);
      },
      (error: unknown) => console.warn("Searching could not be loaded.", error),
    );
    return true;
  };
  return [
    EditorView.cspNonce.of(cspNonce),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    EditorState.tabSize.of(4),
    indentUnit.of("    "),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    syntaxHighlighting(classHighlighter),
    keymap.of([
      ...closeBracketsKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
      { key: "Mod-f", run: openSearch, preventDefault: true },
    ]),
    EditorView.contentAttributes.of({
      tabindex: "0",
      "aria-description": "Tab indents. To leave the editor, press Escape and then Tab.",
      ...contentAttributes,
    }),
    EditorView.domEventHandlers({ beforeinput: insertLines }),
    editorTheme,
    searchPanel.of([]),
  ];
}

/** Puts the cursor at the beginning of a line, in the middle of what is seen. */
export function goToLine(view: EditorView, number: number): void {
  const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
  view.dispatch({
    selection: { anchor: line.from },
    effects: EditorView.scrollIntoView(line.from, { y: "center" }),
  });
  view.focus();
}

export function createEditor({ parent, source, readOnly, cspNonce, onChange, onRun }: Options): Editor {
  const lint = new Compartment();
  const run = (): boolean => {
    onRun();
    return true;
  };
  const state = EditorState.create({
    doc: source,
    extensions: [
      Prec.highest(keymap.of([{ key: "Mod-Enter", run, preventDefault: true, stopPropagation: true }])),
      EditorState.readOnly.of(readOnly),
      editing(cspNonce, { "aria-label": "Your code" }),
      new LanguageSupport(pythonLanguage),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
      lint.of([]),
    ],
  });
  const view = new EditorView({ state, parent });
  // Ruff is four megabytes: it comes when somebody turns to the code, not with every statement that is read.
  const startLinting = (): void => {
    loaded(() => import("./lint")).then(
      ({ ruffLinter }) => view.dispatch({ effects: lint.reconfigure(ruffLinter()) }),
      (error: unknown) => console.warn("The code is not linted.", error),
    );
  };
  view.contentDOM.addEventListener("focus", startLinting, { once: true });
  return {
    source: () => view.state.doc.toString(),
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    },
    goToLine: (number) => goToLine(view, number),
    goOn: (selection) => goOn(view, selection),
    destroy: () => view.destroy(),
  };
}
