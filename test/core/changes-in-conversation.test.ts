import { expect } from "chai";
import type { Entity, Storage } from "@pergola/sdk";
import type { StoredRun } from "@pergola/sdk/host";
import { names } from "../../plugins/feature-changes/records.ts";
import { KeptChanges } from "../support/kept-changes.ts";

const agents = {
  run_b: { conversationId: "two", personsConversationId: "one", lineage: ["run_a", "run_b"] },
  run_c: { conversationId: "three", personsConversationId: "one", lineage: ["run_a", "run_b", "run_c"] },
} as const;

describe("the list of what was changed in a conversation", () => {
  let kept: KeptChanges;

  const putRun = (id: string, conversationId: string, parentRunId: string | null = null): Promise<void> => {
    const kind = parentRunId === null ? "chat" : "subagent";
    const run = { id, conversationId, parentRunId, kind, status: "ended", createdAt: id };
    return kept.stores.runs.put(run as unknown as StoredRun);
  };

  beforeEach(async () => {
    kept = new KeptChanges();
    await putRun("run_a", "one");
    await putRun("run_b", "two", "run_a");
    await putRun("run_c", "three", "run_b");
    await kept.files().write(kept.at("a"), "a");
    for (const call of Object.values(agents)) {
      kept.now += 1000;
      await kept.files(call).write(kept.at(call.conversationId), "a");
    }
    kept.now += 1000;
    await kept.revert("run_c");
  });
  afterEach(() => kept.stop());

  const listed = async (id: string): Promise<readonly string[]> =>
    (await kept.listIn(id)).items.map(({ runId, revertId }) => runId ?? revertId?.slice(0, 4) ?? "");

  it("has those of its sub-agents and theirs; of a sub-agent's own, those below it", async () => {
    expect(await listed("one")).to.deep.equal(["rev_", "run_c", "run_b", "run_a"]);
    expect(await listed("two")).to.deep.equal(["rev_", "run_c", "run_b"]);
    expect(await listed("three")).to.deep.equal(["rev_", "run_c"]);
    expect(await listed("four")).to.deep.equal([]);
  });

  it("is the same for records that did not keep whose person it is, once a host has started", async () => {
    const now = await Promise.all(["one", "two", "three"].map(listed));
    const records = (kept.storage as Storage).collection<Entity>(names.changes, { indexes: ["seq"] });
    for (const { version: _version, ...record } of await records.find({})) {
      const { personsConversationId, ...earlier } = record as Entity & { personsConversationId?: string };
      expect(personsConversationId).to.equal("one");
      await records.put(earlier);
    }
    expect(await listed("one")).to.deep.equal([]);
    await kept.restart();
    expect(await Promise.all(["one", "two", "three"].map(listed))).to.deep.equal(now);
    const written: number[] = [];
    kept.before = { commit: (writes) => void written.push(writes.length) };
    await kept.restart();
    expect(written).to.deep.equal([]);
  });

  it("does not look at all runs of the conversation", async () => {
    for (let number = 0; number < 2000; number += 1) await putRun(`run_b${number}`, "one");
    let read = 0;
    const { runs } = kept.stores;
    const find = runs.find.bind(runs);
    const counting: typeof find = async (...asked) => {
      const found = await find(...asked);
      read += found.length;
      return found;
    };
    Object.assign(runs, { find: counting });
    expect(await listed("one")).to.have.length(4);
    expect(read).to.be.below(10);
  });
});
