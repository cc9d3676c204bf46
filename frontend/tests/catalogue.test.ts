import { expect, it } from "vitest";
import { matchesQuery, normalizeText } from "../src/lib/catalogue";

it("finds the beginnings of words, in any order and case, without accents", () => {
  const text = "Momentum Contrast  Kaiming He et al., 2020 contrastive learning, self-supervision";
  for (const query of ["", "mom", "HE contrast", "self supervision", "2020", "  cóntrast "]) {
    expect(matchesQuery(text, query), query).toBe(true);
  }
  for (const query of ["entum", "moco", "contrast 2019"]) expect(matchesQuery(text, query), query).toBe(false);
});

it("keeps letters and digits alone", () => {
  expect(normalizeText(" Hénaff, O.-J. (2020)! ")).toBe("henaff o j 2020");
});
