import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { Write } from "@pergola/sdk";
import { openStores, type Parts } from "@pergola/sdk/host";
import { endpointRequest } from "@pergola/sdk/testing";
import { Conversations } from "../../plugins/service-conversations/conversations.ts";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { Topics } from "../../plugins/feature-topics/topics.ts";
import { silentLog } from "../support/memory-scene.ts";
import { verifies } from "../support/verifies.ts";

const caller = endpointRequest().caller;

/** Topics and conversations on a storage whose commits wait while it is shut. */
function scene() {
  const storage = new MemoryStorage(silentLog);
  const commit = storage.commit.bind(storage);
  let open = Promise.resolve();
  let unlock = (): void => undefined;
  let reached = (): void => undefined;
  storage.commit = async (writes: readonly Write[]) => {
    reached();
    await open;
    return commit(writes);
  };
  const runs = { usesMemoryOf: async () => false, activeIn: () => undefined };
  const parts = {
    stores: openStores(storage),
    runs,
    log: silentLog,
    timestamp: () => "2026-01-01T00:00:00.000Z",
  } as unknown as {
    -readonly [K in keyof Parts]: Parts[K];
  };
  const [topics, conversations] = [new Topics(parts), new Conversations(parts)];
  Object.assign(parts, { topics, conversations });
  /** Resolves when a commit waits. */
  const shut = (): Promise<void> => {
    open = new Promise((resolve) => (unlock = resolve));
    return new Promise((resolve) => (reached = resolve));
  };
  return {
    topics,
    conversations,
    shut /** Lets go on what can, and only then what waits. */,
    unlock: async () => {
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      unlock();
    },
  };
}

describe("a topic that is being deleted", () => {
  verifies(
    "topics:delete",
    "is not entered by a run of its conversation, which goes on without it",
    async () => {
      const { topics, conversations, shut, unlock } = scene();
      const { topic } = await topics.create({ name: "Doomed" });
      const { id } = await conversations.create({ topicId: topic.id }, caller);
      const waits = shut();
      const deleted = topics.delete(topic.id, { deleteFiles: false });
      await waits;
      const opened = conversations.open(id);
      await unlock();
      await deleted;
      expect(await opened).to.include({ topicId: null });
      expect(conversations.active(id).settings.useSharedData).to.equal(false);
    },
  );

  verifies(["topics:chat", "topics:delete"], "is made anew by a chat that names it", async () => {
    const { topics, shut, unlock } = scene();
    const { topic } = await topics.create({ name: "Again" });
    const waits = shut();
    const deleted = topics.delete(topic.id, { deleteFiles: false });
    await waits;
    const obtained = topics.obtain("again", async (found) => found);
    await unlock();
    await deleted;
    const made = await obtained;
    expect(made.id).to.not.equal(topic.id);
    expect(await topics.findByName("Again")).to.deep.equal(made);
  });

  verifies("topics:attach", "takes in no other conversation", async () => {
    const { topics, conversations, shut, unlock } = scene();
    const { topic } = await topics.create({ name: "Closed" });
    const { id } = await conversations.create({}, caller);
    const waits = shut();
    const deleted = topics.delete(topic.id, { deleteFiles: false });
    await waits;
    const attached = conversations.update(id, { topicId: topic.id }, caller).catch((error: unknown) => error);
    const made = conversations.create({ topicId: topic.id }, caller).catch((error: unknown) => error);
    await unlock();
    await deleted;
    for (const end of [attached, made]) expect(await end).to.include({ code: "not_found", param: "topicId" });
    expect(await conversations.get(id)).to.include({ topicId: null });
  });
});
