/** What somebody did in the server's plain form before the script came: text, place and focus go on in the editor. */

import type { EditorView } from "@codemirror/view";

export interface Handover {
  /** The text of the form, or null where nobody has changed it. */
  readonly text: string | null;
  /** The selection, or null where the focus was elsewhere. */
  readonly selection: { readonly anchor: number; readonly head: number } | null;
}

/** To be called before the form leaves the page. */
export function takeOver(field: HTMLTextAreaElement | null): Handover {
  if (field === null) return { text: null, selection: null };
  const { value, defaultValue, selectionStart: from, selectionEnd: to } = field;
  const backward = field.selectionDirection === "backward";
  return {
    text: value === defaultValue ? null : value,
    selection: document.activeElement === field ? { anchor: backward ? to : from, head: backward ? from : to } : null,
  };
}

/** Puts the focus where it was, once the editor shows the text. */
export function goOn(view: EditorView, selection: Handover["selection"]): void {
  if (selection === null) return;
  const { length } = view.state.doc;
  view.dispatch({
    selection: { anchor: Math.min(selection.anchor, length), head: Math.min(selection.head, length) },
    scrollIntoView: true,
  });
  view.focus();
}
