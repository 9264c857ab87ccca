import { expect } from "chai";
import {
  officialVectors,
  packVectors,
  shortDigest,
  unpackVectors,
} from "../../plugins/provider-embedded/embedder/known-vectors.ts";
import { digestOf } from "../../plugins/provider-embedded/embedder/vector-cache.ts";
import { catalogueOf } from "../../plugins/provider-embedded/router/catalogue.ts";
import { textsOf } from "../../plugins/provider-embedded/router/meaning.ts";
import { loadCatalogue } from "../bench/guide/catalogue.ts";

describe("the vectors that the guide has ready", function () {
  this.timeout(30_000);

  it("are those of the standard tools' phrases; scripts/guide-vectors.ts makes them anew", async () => {
    const texts = new Set(catalogueOf(await loadCatalogue()).flatMap(textsOf));
    const wanted = [...texts].map((text) => shortDigest(digestOf(text))).sort();
    expect([...(await officialVectors()).keys()].sort()).to.deep.equal(wanted);
  });

  it("come back from the file at unit length and in their direction", () => {
    const vector = Float32Array.from({ length: 384 }, (_, axis) => Math.sin(axis * axis) / Math.sqrt(192));
    const digest = digestOf("a phrase");
    const found = unpackVectors(packVectors(new Map([[digest, vector]]))).get(shortDigest(digest));
    const cosine = found?.reduce((sum, value, axis) => sum + value * (vector[axis] ?? 0), 0) ?? 0;
    expect(Math.hypot(...(found ?? []))).to.be.closeTo(1, 1e-5);
    expect(cosine / Math.hypot(...vector)).to.be.at.least(0.999);
  });
});
