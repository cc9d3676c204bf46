import { afterEach, expect, test, vi } from "vitest";
import { loaded } from "../src/lib/loaded";

const online = new EventTarget();
vi.stubGlobal("addEventListener", online.addEventListener.bind(online));

afterEach(() => vi.useRealTimers());

function part(...failures: readonly string[]): () => Promise<string> {
  const left = [...failures];
  return async () => {
    const failure = left.shift();
    if (failure !== undefined) throw new Error(failure);
    return "the part";
  };
}

test("a part that comes is given", async () => {
  expect(await loaded(part())).toBe("the part");
});

test("without a connection it waits until there is one, however often that is lost", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  const coming = loaded(part("lost", "lost again"));
  for (let back = 0; back < 2; back += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    online.dispatchEvent(new Event("online"));
  }
  expect(await coming).toBe("the part");
});

test("with a connection it tries a single time more", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
  const once = loaded(part("hiccup"));
  const twice = expect(loaded(part("hiccup", "gone"))).rejects.toThrow("gone");
  await vi.runAllTimersAsync();
  expect(await once).toBe("the part");
  await twice;
});
