import { describe, expect, it } from "vitest";
import { placedSettings, queryFromSettings, registry, settingsFromQuery } from "../../src/lib/labs/settings";
import { nearestStop, STOPS } from "../../src/lib/labs/stops";

const circle = placedSettings("circle", {});

describe("settings that a package placed", () => {
  it("have defaults for what is left out", () => {
    expect(placedSettings("circle", { tau: 0.05 })).toEqual({ ...circle, tau: 0.05 });
    expect(circle).toMatchObject({ tau: 0.2, m: 0.99, k: 64, eta: 0.25 });
  });

  it.each(Object.keys(registry))("exist for the lab %s, and its defaults keep its own bounds", (name) => {
    const defaults = placedSettings(name, {});
    expect(placedSettings(name, defaults)).toEqual(defaults);
  });

  it.each([
    ["an unknown name", "circle", { temperature: 0.1 }],
    ["a value out of bounds", "circle", { k: 2000 }],
    ["a fraction for a whole number", "circle", { k: 1.5 }],
    ["a text for a number", "circle", { tau: "0.1" }],
    ["a list that is too short", "one-positive", { angles: [10] }],
  ])("are refused with %s", (_, name, placed) => {
    expect(() => placedSettings(name, placed)).toThrow();
  });

  it("are refused for a lab that is not there", () => {
    expect(() => placedSettings("torus", {})).toThrow('There is no lab "torus"; there are circle, ');
  });
});

describe("settings in the address", () => {
  it("win over those of the page", () => {
    const settings = settingsFromQuery("circle", "circle", "?circle.tau=0.05&circle.seed=9&other=1", circle);
    expect(settings).toEqual({ ...circle, tau: 0.05, seed: 9 });
  });

  it("go back into the address as far as they differ from the page", () => {
    const query = queryFromSettings("circle", "?other=1&circle.eta=0.9", { ...circle, tau: 0.05, k: 128 }, circle);
    expect(query).toBe("other=1&circle.tau=0.05&circle.k=128");
    expect(settingsFromQuery("circle", "circle", query, circle)).toEqual({ ...circle, tau: 0.05, k: 128 });
    expect(queryFromSettings("circle", "", circle, circle)).toBe("");
  });

  it("carry lists that can be read", () => {
    const base = placedSettings("one-positive", {});
    const moved = { ...base, angles: [20, 72.5, 132] };
    const query = queryFromSettings("one-positive", "", moved, base);
    expect(query).toBe("one-positive.angles=20,72.5,132");
    expect(settingsFromQuery("one-positive", "one-positive", query, base)).toEqual(moved);
  });

  it("are drawn to the nearest bound, and ignored where they are no numbers", () => {
    const query =
      "circle.tau=0&circle.k=5000&circle.m=NaN&circle.eta=&circle.seed=1.5&circle.speed=Infinity&circle.constructor=1";
    expect(settingsFromQuery("circle", "circle", query, circle)).toEqual({ ...circle, tau: 0.01, k: 1024 });
  });

  it("of another lab on the page are left alone", () => {
    const query = "circle-2.tau=0.5";
    expect(settingsFromQuery("circle", "circle", query, circle)).toEqual(circle);
    expect(settingsFromQuery("circle", "circle-2", query, circle)).toEqual({ ...circle, tau: 0.5 });
    expect(queryFromSettings("circle", query, { ...circle, m: 0.9 }, circle)).toBe("circle-2.tau=0.5&circle.m=0.9");
  });
});

describe("the stops of a slider", () => {
  it("hold the defaults of the labs", () => {
    expect(STOPS.tau).toContain(circle["tau"]);
    expect(STOPS.m).toContain(circle["m"]);
    expect(STOPS.k).toContain(circle["k"]);
    expect(STOPS.eta).toContain(circle["eta"]);
    expect(STOPS.speed).toContain(circle["speed"]);
    expect(STOPS.wideTau).toEqual(expect.arrayContaining([0.1, 0.15, 0.2]));
  });

  it.each(Object.entries(STOPS))("of %s rise", (_, stops) => {
    expect([...stops].sort((a, b) => a - b)).toEqual([...stops]);
    expect(new Set(stops).size).toBe(stops.length);
  });

  it("stand nearest to a value that is none of them", () => {
    expect(STOPS.m[nearestStop(STOPS.m, 0.9992)]).toBe(0.999);
    expect(STOPS.k[nearestStop(STOPS.k, 100)]).toBe(128);
  });
});
