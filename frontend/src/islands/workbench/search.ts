/** Searching in the editor. Loaded with the first search. */

import { search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export { openSearchPanel } from "@codemirror/search";

export const searching: Extension = [search({ top: true }), keymap.of([...searchKeymap])];
