import { describe, expect, it } from "vitest";
import { Api, NoConnection, Refusal } from "../src/lib/api";
import { state } from "./examples";

interface Sent {
  url: string;
  init: RequestInit;
}

function answering(status: number, body: unknown): { api: Api; sent: Sent[] } {
  const sent: Sent[] = [];
  const api = new Api("token", (url, init) => {
    sent.push({ url: String(url), init: init ?? {} });
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return Promise.resolve(new Response(text, { status }));
  });
  return { api, sent };
}

describe("a request", () => {
  it("carries the token and JSON", async () => {
    const { api, sent } = answering(201, { id: "a", url: "/submissions/a/", state_url: "/submissions/a/state/" });
    const submitted = await api.submit("/problems/moco/submissions/", "x = 1");
    expect(submitted.state_url).toBe("/submissions/a/state/");
    expect(sent[0]?.url).toBe("/problems/moco/submissions/");
    expect(sent[0]?.init).toMatchObject({
      method: "POST",
      body: '{"source":"x = 1"}',
      headers: { "X-CSRFToken": "token", "Content-Type": "application/json" },
    });
  });

  it("saves, resets and asks for a state", async () => {
    expect(await answering(200, { saved_at: "2026-01-02T03:04:05Z" }).api.saveDraft("/d/", "x")).toBe(
      "2026-01-02T03:04:05Z",
    );
    expect(await answering(200, { source: "starter" }).api.resetDraft("/d/")).toBe("starter");
    const { api, sent } = answering(200, state());
    expect(await api.state("/submissions/a/state/", 7, new AbortController().signal)).toEqual(state());
    expect(sent[0]?.url).toBe("/submissions/a/state/?after=7");
  });
});

describe("an answer that is not wanted", () => {
  it("is a refusal with the server's sentence", async () => {
    const error = { code: "too_large", message: "The file has 70 kB; 64 kB are allowed.", detail: "seen by nobody" };
    const attempt = answering(413, { error }).api.submit("/s/", "x");
    await expect(attempt).rejects.toEqual(new Refusal(413, "too_large", error.message, error.detail));
  });

  it("is a refusal in plain words when it is not ours", async () => {
    const attempt = answering(403, "<h1>Forbidden</h1>").api.submit("/s/", "x");
    await expect(attempt).rejects.toMatchObject({ name: "Refusal", status: 403, message: /sign in again/ });
  });

  it("counts as no connection when it comes from something in between", async () => {
    await expect(answering(502, "<h1>Bad gateway</h1>").api.submit("/s/", "x")).rejects.toBeInstanceOf(NoConnection);
    await expect(answering(200, "<h1>Log in to the network</h1>").api.submit("/s/", "x")).rejects.toBeInstanceOf(
      NoConnection,
    );
    const offline = new Api("token", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(offline.submit("/s/", "x")).rejects.toBeInstanceOf(NoConnection);
  });

  it("of an unknown form asks for a reload", async () => {
    const attempt = answering(200, { saved: true }).api.saveDraft("/d/", "x");
    await expect(attempt).rejects.toMatchObject({ name: "Refusal", code: "unknown_form" });
  });
});
