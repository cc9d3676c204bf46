/** What the islands read from the page. */

import * as v from "valibot";
import { Api } from "../lib/api";

/** The content of a `<meta>`, or an empty text. */
export function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

/** The JSON of `<script type="application/json" id=...>`, parsed. */
export function embedded<T>(id: string, schema: v.GenericSchema<unknown, T>): T {
  const text = document.getElementById(id)?.textContent;
  if (text === null || text === undefined) throw new Error(`This page lacks the element #${id}.`);
  return v.parse(schema, JSON.parse(text));
}

export function pageApi(): Api {
  return new Api(meta("csrf-token"));
}

/** Storage of this browser; where it is switched off or full, nothing is kept. */
export const storage = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Kept for this page alone.
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // There is nothing to remove.
    }
  },
};
