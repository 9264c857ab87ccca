import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import {
  AppError,
  type Collection,
  type CollectionOptions,
  type Entity,
  type Provider,
  type ProviderDoor,
  type Storage,
} from "@pergola/sdk";
import {
  chatReply,
  directFetch,
  mockProviderServer,
  providerDoor,
  providerSettings,
  scriptedProvider,
  temporaryFolder,
  type OpenProvider,
  type ScriptTurn,
} from "@pergola/sdk/testing";
import chatCompletions from "../../../plugins/provider-chat-completions/index.ts";
import { openBuilt } from "../../../plugins/storage-sqlite/test/support/open-built.ts";
import { checkRule } from "../../../sdk/testing/conformance/rule.ts";
import { ProviderStage } from "../../../sdk/testing/provider-stage.ts";
import { providerFaultRules } from "../../../sdk/testing/provider-suite-faults.ts";
import { storageFaultRules, type OpenAgain } from "../../../sdk/testing/storage/faults.ts";
import { expectAllBroken, verdictOf } from "./broken-rules.ts";

type Change = (provider: Provider) => Provider;

const unchanged: Change = (provider) => provider;

const scripted =
  (change: Change): OpenProvider =>
  async (turn: ScriptTurn) => ({
    provider: change(
      await scriptedProvider([turn], { repeatLast: true }).open(providerSettings(), providerDoor()),
    ),
  });

/** A provider with a server behind it. */
const wired =
  (change: Change = unchanged, door: ProviderDoor = providerDoor()): OpenProvider =>
  async (turn) => {
    const server = await mockProviderServer(chatReply(turn));
    const kind = chatCompletions.providers!.find(({ type }) => type === "custom")!;
    return {
      provider: change(await kind.open(providerSettings({ baseUrl: server.baseUrl }), door)),
      requestReceived: () => server.request(0),
      connectionClosed: async () => (await server.request(0)).outcome,
      close: () => server.close(),
    };
  };

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

/** A provider that takes one call at a time, and none any more once one was not read to its end. */
function takesOneCall(): Change {
  let isBusy = false;
  return (provider) => ({
    ...provider,
    async *stream(call, signal) {
      if (isBusy) throw new Error("busy");
      isBusy = true;
      yield* provider.stream(call, signal);
      isBusy = false;
    },
  });
}

const cutsAnswers: Change = (provider) => ({
  ...provider,
  async *stream(call, signal) {
    for await (const event of provider.stream(call, signal))
      yield event.type === "text" ? { ...event, text: event.text.slice(0, 1000) } : event;
  },
});

const hearsNoSignal: Change = (provider) => ({
  ...provider,
  async *stream(call) {
    yield* provider.stream(call, new AbortController().signal);
  },
});

/** What it reads goes on though nobody wants it any more. */
const readsOn: Change = (provider) => ({
  ...provider,
  async *stream(call, signal) {
    const events = provider.stream(call, signal)[Symbol.asyncIterator]();
    for (let step = await events.next(); step.done !== true; step = await events.next()) yield step.value;
  },
});

const hidesFailure: Change = (provider) => ({
  ...provider,
  async *stream(call, signal) {
    try {
      yield* provider.stream(call, signal);
    } catch {
      yield { type: "end", reason: "stop" };
    }
  },
});

const blamesSource: Change = (provider) => ({
  ...provider,
  async *stream(call, signal) {
    try {
      yield* provider.stream(call, signal);
    } catch (cause) {
      throw new AppError({ code: "provider_error", message: "It broke off.", cause });
    }
  },
});

const pastItsDoor = { ...providerDoor(), fetch: directFetch };

const brokenProviders: Readonly<Record<string, readonly [OpenProvider, said: string]>> = {
  abort: [wired(hearsNoSignal), "after its signal was aborted, took longer than 1000 ms"],
  "abort in the answer": [wired(hearsNoSignal), "after its signal was aborted, took longer than 1000 ms"],
  "abort by leaving": [wired(readsOn), "Until the source saw that its caller had gone, it took longer"],
  slow: [scripted(takesOneCall()), "A call beside one that waits failed: busy"],
  crash: [wired(hidesFailure), "whose source failed in the middle was told as a whole one"],
  silence: [wired(blamesSource), 'told as "It broke off.", not as provider_timeout'],
  "huge output": [scripted(cutsAnswers), "16000 came, or others"],
  restart: [scripted(closesForGood()), 'Opened again after it was closed, it gave "closed".'],
  "restart in the call": [wired(takesOneCall()), 'Opened again after it was closed, it gave "busy".'],
  "undeclared access": [wired(unchanged, pastItsDoor), "It reached its source past its door."],
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

/** A storage where a commit is made piece by piece. */
const inPieces = (storage: Storage): Partial<Storage> => ({
  async commit(writes) {
    for (const write of writes) {
      await storage.commit([write]);
      await sleep(20);
    }
  },
});

/** A storage whose reads fail while a blob is written. */
function busyWhileItWrites(storage: Storage): Partial<Storage> {
  let writing = 0;
  const put = async (id: string, bytes: Uint8Array): Promise<void> => {
    writing += 1;
    await storage.blobs.put(id, bytes);
    writing -= 1;
  };
  return {
    blobs: { put } as unknown as Storage["blobs"],
    collection<T extends Entity>(name: string, options: CollectionOptions): Collection<T> {
      const records = storage.collection<T>(name, options);
      const get = async (id: string) => (writing > 0 ? Promise.reject(new Error("busy")) : records.get(id));
      return { put: async (record: T) => records.put(record), get } as unknown as Collection<T>;
    },
  };
}

const neverStores = (): Partial<Storage> => ({
  collection: <T extends Entity>() =>
    ({ put: () => new Promise(() => undefined) }) as unknown as Collection<T>,
});

const brokenStorages: Readonly<Record<string, readonly [OpenAgain, said: string]>> = {
  restart: [() => openBuilt(temporaryFolder()), "A record is gone"],
  "restart in the call": [lasting(inPieces), "Of a commit that was cut off by a close a part is there."],
  abort: [lasting(neverStores), "A write that a close cut off took longer than"],
  slow: [lasting(busyWhileItWrites), "A read beside large writes failed: busy"],
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
  const stages: ProviderStage[] = [];
  const stage = (open: OpenProvider): ProviderStage => {
    const opened = new ProviderStage(open, "test");
    stages.push(opened);
    return opened;
  };
  afterEach(async () => {
    for (const opened of stages.splice(0)) await opened.close();
  });

  it("have something that breaks each rule", () => {
    expectAllBroken(providerFaultRules, brokenProviders);
    expectAllBroken(storageFaultRules, brokenStorages);
  });

  it("let a sound provider and a sound storage pass", async () => {
    for (const rule of providerFaultRules)
      for (const open of [wired(), scripted(unchanged)]) await checkRule(rule, stage(open));
    for (const rule of storageFaultRules) await checkRule(rule, lasting());
  });

  for (const [rule, [open, said]] of Object.entries(brokenProviders))
    it(`find a provider that breaks the rule "${rule}"`, async () => {
      expect(await verdictOf(providerFaultRules, rule, stage(open))).to.include(said);
    });

  for (const [rule, [open, said]] of Object.entries(brokenStorages))
    it(`find a storage that breaks the rule "${rule}"`, async () => {
      expect(await verdictOf(storageFaultRules, rule, open)).to.include(said);
    });
});
