import { expect } from "chai";
import type { SearchHit } from "@pergola/sdk";
import { hitsInAll } from "../hits-in-all.ts";
import { mergeHits } from "../merge-hits.ts";
import { superfluous } from "../prune.ts";
import type { Records } from "../records.ts";

/** More than one call takes as arguments. */
const many = Array.from({ length: 200_000 }, (_, index) => index);

describe("memory with very many items", () => {
  it("R5: merges very many hits", () => {
    const near = many.map((index): SearchHit => ({
      id: `m${index}`,
      score: 1,
      similarity: (index + 1) / many.length,
    }));
    expect(mergeHits([], near)[0]).to.include({ id: "m199999", nearness: 1 });
  });

  it("R5: prunes very many items", async () => {
    const old = "2020-01-01T00:00:00Z";
    const items = many.map((index) => ({
      id: `m${index}`,
      kind: "fact",
      place: index,
      confidence: 1,
      updatedAt: old,
    }));
    const find = async (_: object, { limit = Infinity, offset = 0 } = {}) => items.splice(offset, limit);
    const records = { items: { find } } as unknown as Records;
    const most = { fact: 10 } as never;
    const { gone } = await superfluous(records, "s", { maxAgeDays: 1, minConfidence: 0, most }, Date.now());
    expect(gone).to.have.length(many.length);
  });

  it("R5: joins very many hits of many scopes", async () => {
    const scopes = Array.from({ length: 401 }, (_, index) => ({ scope: `s${1000 + index}` }));
    const find = async ({ scope: { gte } }: { readonly scope: { readonly gte: string } }) =>
      scopes.filter(({ scope }) => scope >= gte).slice(0, 1);
    const hits = many.map((similarity) => ({ similarity }) as never);
    const found = await hitsInAll({ items: { find } as never }, { limit: 1 }, async () => hits);
    expect(found).to.deep.equal([{ similarity: 199_999 }]);
  });
});
