import { expect } from "chai";
import type { Collection, CollectionOptions, Entity, Provider, Storage } from "@pergola/sdk";
import {
  providerDoor,
  providerSettings,
  scriptedProvider,
  temporaryFolder,
  type ScriptTurn,
} from "@pergola/sdk/testing";
import { openBuilt } from "../../../plugins/storage-sqlite/test/support/open-built.ts";
import { checkRule } from "../../../sdk/testing/conformance/rule.ts";
import { ProviderStage } from "../../../sdk/testing/provider-stage.ts";
import { providerFaultRules } from "../../../sdk/testing/provider-suite-faults.ts";
import { storageFaultRules, type OpenAgain } from "../../../sdk/testing/storage/faults.ts";
import { expectAllBroken, verdictOf } from "./broken-rules.ts";

const scripted = (turn: ScriptTurn) =>
  scriptedProvider([turn], { repeatLast: true }).open(providerSettings(), providerDoor());

type Change = (provider: Provider) => Provider;

/** A provider that is closed once for all. */
function closesForGood(): Change {
  let isClosed = false;
  return (provider) => ({
    ...provider,
    async *stream(call, signal) {
      if (isClosed) throw new Error("closed");
      yield* provider.stream(call, signal);
    },
    close: async () => void (isClosed = true),
  });
}

const takesOneCall: Change = (provider) => {
  let isBusy = false;
  return {
    ...provider,
    async *stream(call, signal) {
      if (isBusy) throw new Error("busy");
      isBusy = true;
      yield* provider.stream(call, signal);
      isBusy = false;
    },
  };
};

const cutsAnswers: Change = (provider) => ({
  ...provider,
  async *stream(call, signal) {
    for await (const event of provider.stream(call, signal))
      yield event.type === "text" ? { ...event, text: event.text.slice(0, 1000) } : event;
  },
});

const brokenProviders: Readonly<Record<string, readonly [Change, said: string]>> = {
  slow: [takesOneCall, "A call beside one that waits failed: busy"],
  "huge output": [cutsAnswers, "16000 came, or others"],
  restart: [closesForGood(), 'Opened again after it was closed, it gave "closed".'],
};

/** A store of its own, opened again and again, with some of its methods replaced. */
function lasting(change: (storage: Storage) => Partial<Storage> = () => ({})): OpenAgain {
  const folder = temporaryFolder();
  return async () => {
    const storage = await openBuilt(folder);
    return {
      collection: (name, options) => storage.collection(name, options),
      commit: async (writes) => storage.commit(writes),
      search: (name, options) => storage.search(name, options),
      watch: (name, listener) => storage.watch(name, listener),
      close: async () => storage.close(),
      blobs: storage.blobs,
      ...change(storage),
    };
  };
}

const hidesFailures = (storage: Storage): Partial<Storage> => ({
  collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
    const records = storage.collection<T>(name, options);
    const put = async (record: T): Promise<unknown> => records.put(record).catch(() => undefined);
    return { put } as unknown as Collection<T>;
  },
});

const brokenStorages: Readonly<Record<string, readonly [OpenAgain, said: string]>> = {
  restart: [() => openBuilt(temporaryFolder()), "A record is gone"],
  "huge output": [
    lasting(({ blobs }) => ({
      blobs: {
        put: async (id, bytes) => blobs.put(id, bytes),
        get: async (id) => (await blobs.get(id))?.slice(0, 1),
        delete: async (id) => blobs.delete(id),
      },
    })),
    "The end of a blob of 4 MiB is not there.",
  ],
  once: [
    lasting((storage) => ({
      commit: async (writes) =>
        storage.commit(writes.map((write) => ({ ...write, ifVersion: undefined }) as never)),
    })),
    "Of four commits on the same version 4 went through",
  ],
  closed: [lasting(hidesFailures), "A write after the close is told to be stored."],
};

describe("the conformance kits of providers and storages", function () {
  this.timeout(30_000);
  const stage = (change: Change = (provider) => provider): ProviderStage =>
    new ProviderStage(async (turn) => ({ provider: change(await scripted(turn)) }), "test");

  it("have something that breaks each rule", () => {
    expectAllBroken(providerFaultRules, brokenProviders);
    expectAllBroken(storageFaultRules, brokenStorages);
  });

  it("let a sound provider and a sound storage pass", async () => {
    for (const rule of providerFaultRules) await checkRule(rule, stage());
    for (const rule of storageFaultRules) await checkRule(rule, lasting());
  });

  for (const [rule, [change, said]] of Object.entries(brokenProviders))
    it(`find a provider that breaks the rule "${rule}"`, async () => {
      expect(await verdictOf(providerFaultRules, rule, stage(change))).to.include(said);
    });

  for (const [rule, [open, said]] of Object.entries(brokenStorages))
    it(`find a storage that breaks the rule "${rule}"`, async () => {
      expect(await verdictOf(storageFaultRules, rule, open)).to.include(said);
    });
});
