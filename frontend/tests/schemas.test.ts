import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { CheckSchema, ProblemDataSchema, StateSchema } from "../src/lib/schemas";
import { check, state } from "./examples";

describe("a state", () => {
  it("of the form that the server sends is taken as it is", () => {
    const full = state({
      checks: [
        check(0, {
          status: "failed",
          details: {
            kind: "comparison",
            what: "loss",
            where: "",
            shape: [2],
            dtype: "float64",
            expected: [1, "nan"],
            got: [1, "-inf"],
            differs: [false, true],
            first: { index: [1], expected: "nan", got: "-inf" },
            differing: 1,
            entries: 2,
            allowed: 1e-9,
          },
        }),
      ],
    });
    expect(v.parse(StateSchema, JSON.parse(JSON.stringify(full)))).toEqual(full);
  });

  it("with a diagnosis says how sure it is", () => {
    const diagnosis = {
      title: "Sums over the batch",
      says_html: "<p>Your code sums over the batch.</p>",
      hint_html: "<p>Take the mean.</p>",
      sentence: { id: "mean", html: "The mean." },
      section: "loss",
      sureness: "sure",
      because: "Sure: 3 checks fail with exactly the values that this gives.",
      checks: ["check_1"],
    };
    const full = { ...state(), diagnoses: [diagnosis], diagnoses_headline: "" };
    expect(v.parse(StateSchema, full).diagnoses).toEqual([diagnosis]);
    const unsure = { ...full, diagnoses: [{ ...diagnosis, sureness: "perhaps" }] };
    expect(v.safeParse(StateSchema, unsure).success).toBe(false);
  });

  it("with a verdict or a status that is unknown is refused", () => {
    expect(v.safeParse(StateSchema, { ...state(), verdict: "great" }).success).toBe(false);
    expect(v.safeParse(CheckSchema, { ...check(0), status: "fine" }).success).toBe(false);
  });

  it("keeps a check whose details it cannot draw", () => {
    const parsed = v.parse(CheckSchema, { ...check(0), message: "differs", details: { kind: "picture" } });
    expect(parsed.details).toBe(null);
    expect(parsed.message).toBe("differs");
  });
});

it("the data of the problem page may leave out what has a default", () => {
  const data = v.parse(ProblemDataSchema, {
    slug: "moco",
    starter: "",
    source: "",
    saved_at: null,
    urls: { draft: "/d/", submit: "/s/" },
    latest: null,
    signed_in: false,
    something_new: true,
  });
  expect(data).toMatchObject({ functions: [], limits: {}, urls: { sign_in: "/accounts/sign-in/" } });
});
