import { expect } from "chai";
import type { Fence } from "@pergola/sdk/host";
import { CallIds } from "../call-ids.ts";
import type { OtherHosts } from "../other-hosts.ts";

/** Other hosts, which have the ids of `theirs`; what is given back is noted. */
function hosts(theirs: ReadonlySet<string>, areThere = true) {
  const released: string[] = [];
  const asked: string[] = [];
  const others: Pick<OtherHosts, "areThere" | "takeCall" | "release"> = {
    areThere,
    takeCall: async (id) => {
      asked.push(id);
      return theirs.has(id) ? undefined : ({ name: id, number: 1 } as unknown as Fence);
    },
    release: async ({ name }) => void released.push(name),
  };
  return { ids: new CallIds(others as OtherHosts), released, asked };
}

describe("ids of calls", () => {
  it("are one run's until its end", async () => {
    const { ids, asked } = hosts(new Set(), false);
    expect([...(await ids.take("one", ["a", "a", "b"]))]).to.deep.equal(["a", "b"]);
    expect([...(await ids.take("two", ["a", "c"]))]).to.deep.equal(["c"]);
    expect([...(await ids.take("one", ["a"]))]).to.deep.equal([]);
    ids.release("one");
    expect([...(await ids.take("two", ["a", "c"]))]).to.deep.equal(["a"]);
    expect(asked).to.deep.equal([]);
  });

  it("are not taken from another host, and are given back to all", async () => {
    const theirs = new Set(["a"]);
    const { ids, released } = hosts(theirs);
    expect([...(await ids.take("one", ["a", "b"]))]).to.deep.equal(["b"]);
    theirs.clear();
    expect([...(await ids.take("one", ["a"]))]).to.deep.equal(["a"]);
    ids.release("one");
    expect(released.toSorted()).to.deep.equal(["a", "b"]);
    expect([...(await ids.take("two", ["a", "b"]))]).to.deep.equal(["a", "b"]);
  });

  it("are given back where their run ends while they are asked for", async () => {
    const { ids, released } = hosts(new Set());
    const taking = ids.take("one", ["a"]);
    ids.release("one");
    expect([...(await taking)]).to.deep.equal([]);
    expect(released).to.deep.equal(["a"]);
  });
});
