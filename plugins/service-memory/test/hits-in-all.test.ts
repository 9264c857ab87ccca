import { expect } from "chai";
import type { MemoryHit } from "@pergola/sdk";
import { hitsInAll } from "../hits-in-all.ts";
import type { Records } from "../records.ts";

const nameOf = (n: number): string => `scope-${String(n).padStart(4, "0")}`;

/** Records of so many scopes, each with a number of items; `asked` counts the questions. */
function recordsOf(scopes: number) {
  const all = Array.from({ length: scopes }, (_, n) => ({ scope: nameOf(n) }));
  const counts = { asked: 0 };
  const find = async ({ scope: { gte } }: { readonly scope: { readonly gte: string } }) => {
    counts.asked += 1;
    return all.filter(({ scope }) => scope >= gte).slice(0, 1);
  };
  return { records: { items: { find } } as unknown as Pick<Records, "items">, counts };
}

const hit = (scope: string, similarity: number): MemoryHit => ({ item: { scope }, similarity }) as MemoryHit;

describe("searching all scopes", () => {
  it("asks once for all of them, in the order that the search gives", async () => {
    const { records, counts } = recordsOf(3);
    const hits = await hitsInAll(records, {}, async (scopes) => scopes.map((scope, n) => hit(scope, n / 10)));
    expect(hits.map(({ item }) => item.scope)).to.deep.equal([nameOf(0), nameOf(1), nameOf(2)]);
    expect(counts.asked).to.equal(4);
  });

  it("searches very many in groups, and forgets none of them", async () => {
    const { records } = recordsOf(1001);
    const groups: (readonly string[])[] = [];
    const hits = await hitsInAll(records, { limit: 3 }, async (scopes) => {
      groups.push(scopes);
      return [hit(scopes.at(-1)!, 0.1 * groups.length), hit(scopes[0]!, 0.1)];
    });
    expect(groups.flat()).to.deep.equal(Array.from({ length: 1001 }, (_, n) => nameOf(n)));
    expect(groups.map(({ length }) => length)).to.deep.equal([400, 400, 201]);
    expect(hits.map(({ item }) => item.scope)).to.deep.equal([nameOf(1000), nameOf(799), nameOf(399)]);
  });

  it("searches nothing where nothing is remembered", async () => {
    expect(await hitsInAll(recordsOf(0).records, {}, () => Promise.reject(new Error("asked")))).to.deep.equal(
      [],
    );
  });
});
