import { expect } from "chai";
import {
  builtVectors,
  packVectors,
  shortDigest,
  unpackVectors,
} from "../../plugins/provider-embedded/embedder/known-vectors.ts";
import { digestOf } from "../../plugins/provider-embedded/embedder/vector-cache.ts";
import { routesOf } from "../../plugins/provider-embedded/examples/routes.ts";
import { sentencesOf } from "../../plugins/provider-embedded/nearest/likeness.ts";
import { loadCatalogue } from "../bench/guide/catalogue.ts";

describe("the vectors that the guide has ready", function () {
  this.timeout(240_000);

  it("are those of the standard tools' examples", async () => {
    await import("../../scripts/guide-vectors.ts");
    const sentences = new Set(routesOf(await loadCatalogue()).flatMap(sentencesOf));
    const wanted = [...sentences].map((sentence) => shortDigest(digestOf(sentence))).sort();
    expect([...(await builtVectors()).keys()].sort()).to.deep.equal(wanted);
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
