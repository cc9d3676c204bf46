/** Requests to the server. Every answer is parsed by a schema; every failure says what to do. */

import * as v from "valibot";
import { FailureSchema, SavedSchema, StarterSchema, StateSchema, SubmittedSchema } from "./schemas";
import type { State, Submitted } from "./schemas";

/** The server answered, and refused. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly detail = "",
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** No answer came, or one that is not ours (a proxy, a portal). */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super("No connection to the server.", { cause });
    this.name = "NoConnection";
  }
}

const PLAIN_REFUSALS: Record<number, string> = {
  403: "The server refused this. Reload the page and sign in again; your code is kept.",
  404: "The server does not know this any more. Reload the page; your code is kept.",
  413: "This is too large. Shorten the file and try again.",
  429: "Too many runs in a short time. Wait a minute and try again.",
};

async function request<T>(
  url: string,
  schema: v.GenericSchema<unknown, T>,
  init: RequestInit,
  fetcher: typeof fetch,
): Promise<T> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetcher(url, { credentials: "same-origin", ...init });
  } catch (cause) {
    throw new NoConnection(cause);
  }
  try {
    body = await response.json();
  } catch (cause) {
    if (response.ok || response.status >= 500) throw new NoConnection(cause);
    const message = PLAIN_REFUSALS[response.status] ?? `The server refused this (${response.status}). Reload the page.`;
    throw new Refusal(response.status, "refused", message);
  }
  if (!response.ok) {
    const failure = v.safeParse(FailureSchema, body);
    if (!failure.success) throw new NoConnection(new Error(`status ${response.status}`));
    const { code, message, detail } = failure.output.error;
    throw new Refusal(response.status, code, message, detail);
  }
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  throw new Refusal(
    response.status,
    "unknown_form",
    "This page is older than the server. Reload it; your code is kept.",
  );
}

/** The requests of our pages; those of the problem page have names. `csrfToken` goes with everything that changes something. */
export class Api {
  constructor(
    private readonly csrfToken: string,
    private readonly fetcher: typeof fetch = (...args) => fetch(...args),
  ) {}

  /** One request with a body of JSON, or without one; what is answered must be of the schema. */
  send<T>(
    url: string,
    schema: v.GenericSchema<unknown, T>,
    method: string,
    body?: unknown,
    keepalive = false,
  ): Promise<T> {
    const headers: Record<string, string> = { Accept: "application/json", "X-CSRFToken": this.csrfToken };
    const init: RequestInit = { method, headers, keepalive };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    return request(url, schema, init, this.fetcher);
  }

  /** Saves the draft and returns when, by the server's clock. `leaving` lets the request outlive the page. */
  async saveDraft(url: string, source: string, leaving = false): Promise<string> {
    return (await this.send(url, SavedSchema, "PUT", { source }, leaving)).saved_at;
  }

  /** Deletes the draft and returns the starter. */
  async resetDraft(url: string): Promise<string> {
    return (await this.send(url, StarterSchema, "DELETE")).source;
  }

  submit(url: string, source: string): Promise<Submitted> {
    return this.send(url, SubmittedSchema, "POST", { source });
  }

  /** The state of a submission with the checks from order `after` on. */
  state(url: string, after: number, signal: AbortSignal): Promise<State> {
    const headers = { Accept: "application/json" };
    return request(`${url}?after=${after}`, StateSchema, { headers, signal }, this.fetcher);
  }
}
