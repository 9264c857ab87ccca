import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import type { Conversation, Message } from "@pergola/sdk";
import { openStores, type IndexedText, type Parts, type TextTerm } from "@pergola/sdk/host";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import { forgetting, Indexer } from "../../plugins/feature-search/indexer.ts";
import { TextScan } from "../../plugins/feature-search/text-scan.ts";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { chat, user } from "../support/chat.ts";
import { fillStore, filledId } from "../support/fill-store.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { eventually } from "../support/lab-stage.ts";
import { recordingLog } from "../support/recording-log.ts";
import { searchAt } from "../support/search-stage.ts";
import { verifies } from "../support/verifies.ts";

const unused = ["bundle-standard", "provider-embedded", "provider-scripted"];
const counting = {
  use: path.join(import.meta.dirname, "..", "support", "plugins", "storage-counting"),
  isolation: "trusted",
};

describe("the index of messages in a store", () => {
  let stage: Stage;
  let dataDirectory: string;
  beforeEach(() => {
    dataDirectory = temporaryFolder();
  });
  afterEach(() => stage.end());
  const { json, search, texts } = searchAt(() => stage);

  const open = async (type = "sqlite", plugins = officialPlugins()) => {
    stage = await openStage([], { dataDirectory, plugins, settings: { storage: { type } } });
  };
  const say = async (text: string, answer: string): Promise<string> => {
    stage.provider.play([chatReply({ text: answer })]);
    const { status, body } = await chat(stage, { messages: [user(text)] });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.service_metadata.conversation_id;
  };
  /** However long it takes: the time of a test is its limit. */
  const whole = async () => {
    for (;;) {
      const found = await search("ordinary", "&limit=1");
      if (found.complete) return found;
      await setTimeout(20);
    }
  };

  verifies(
    ["search:backlog", "search:count"],
    "is made in the background of what is stored, counted up to 1000 and paged through",
    async () => {
      await fillStore(dataDirectory, { messages: 6000, conversations: 300 });
      await open();
      expect((await search("ordinary")).complete).to.equal(false);
      await say("Are you there?", "I am.");
      expect(await texts('"I am"')).to.deep.equal(["I am."]);
      expect((await whole()).count).to.equal(1000);
      const last = await search("ordinary", "&limit=20&offset=990");
      expect([last.count, last.hits.length]).to.deep.equal([1000, 10]);
      expect((await search("ordinary", "&offset=1000")).hits).to.deep.equal([]);
      expect((await search("ordinary", "&limit=1000")).hits.length).to.equal(1000);
      const { hits, count } = await search('"message 4321"');
      expect([count, hits[0]?.messageId]).to.deep.equal([1, `${filledId(0)}-4321`]);
      await stage.host.restart();
      expect((await whole()).count).to.equal(1000);
    },
  );

  verifies("search:missed", "gets at a start what was said and deleted while nobody followed", async () => {
    await open();
    const gone = await say("The orange fence", "Yes.");
    const kept = await say("The other fence", "No.");
    expect((await search("fence")).count).to.equal(2);
    await say("The last fence", "Perhaps.");
    await stage.end();
    await open("sqlite", officialPlugins([...unused, "feature-search"]));
    expect((await json("GET", "/api/search?q=fence")).status).to.equal(404);
    await json("DELETE", `/v1/conversations/${gone}`);
    await say("Another fence", "So many.");
    await stage.end();
    await open();
    await whole();
    expect(await texts("fence")).to.deep.equal(["Another fence", "The last fence", "The other fence"]);
    await json("DELETE", `/v1/conversations/${kept}`);
    await stage.host.restart();
    await whole();
    expect(await texts("fence")).to.deep.equal(["Another fence", "The last fence"]);
  });

  verifies("search:missed", "is made anew at each start where the storage keeps none", async () => {
    await open("counting", [...officialPlugins(), counting]);
    const gone = await say("The orange fence", "Yes.");
    await say("The other fence", "No.");
    for (let start = 0; start < 2; start++) {
      expect((await search("fence")).count).to.equal(2);
      await stage.host.restart();
      await whole();
    }
    await json("DELETE", `/v1/conversations/${gone}`);
    expect(await texts("fence")).to.deep.equal(["The other fence"]);
  });
});

const id = filledId(1);
const tea: readonly TextTerm[] = [{ words: ["tea"] }];

/** A text index whose next work can be held or refused. */
class HeldTexts extends TextScan {
  readonly indexed: string[] = [];
  before: () => Promise<void> = async () => undefined;

  override async index(given: readonly IndexedText[]): Promise<void> {
    await this.before();
    this.indexed.push(...given.map((one) => one.words));
    await super.index(given);
  }
}

describe("who keeps the index of messages", () => {
  let indexer: Indexer;
  let texts: HeldTexts;
  let stores: ReturnType<typeof openStores>;
  const log = recordingLog();
  const open = () => {
    texts = new HeldTexts();
    indexer = new Indexer({ stores, log } as unknown as Parts, texts);
    indexer.start({ isEmpty: false });
  };
  beforeEach(() => {
    stores = openStores(new MemoryStorage(log));
    open();
  });
  afterEach(() => indexer.stop());

  const conversation = (nextSeq: number, hidden = false) =>
    ({ id, title: "Tea", updated: "2026-05-01", hidden, nextSeq }) as Conversation;
  const message = (seq: number, content: string | null) =>
    ({
      id: `m${seq}`,
      conversationId: id,
      seq,
      role: "user",
      content,
      timestamp: new Date(seq).toISOString(),
    }) as Message;
  const store = (seq: number, content: string | null) =>
    stores.commit([
      { collection: "messages", put: message(seq, content) },
      { collection: "conversations", put: conversation(seq + 1) },
    ]);
  const found = async () => (await texts.find({ terms: tea, limit: 9 })).map((match) => match.id);

  verifies("search:turns", "does nothing in a commit, nor when only events of a run are stored", async () => {
    await indexer.catchUp();
    await store(1, "tea");
    expect(texts.indexed).to.deep.equal([]);
    await indexer.catchUp();
    expect(texts.indexed).to.deep.equal(["tea"]);
    for (let from = 0; from < 20; from++)
      await stores.runEvents.put({
        id: `r/${from}`,
        runId: "r",
        conversationId: id,
        from,
        endedAt: null,
        events: [],
      });
    await indexer.catchUp();
    await store(2, null);
    await store(3, "more tea");
    await indexer.catchUp();
    expect(texts.indexed).to.deep.equal(["tea", "more tea"]);
    expect(indexer.isComplete).to.equal(true);
  });

  verifies("search:turns", "writes what many conversations have got together, or each alone", async () => {
    await indexer.catchUp();
    expect(indexer.isComplete).to.equal(true);
    const say = (seq: number) =>
      stores.commit(
        Array.from({ length: 20 }, (_, number) => filledId(number + 1)).flatMap((conversationId) => [
          {
            collection: "messages",
            put: { ...message(seq, "tea"), id: `${conversationId}-${seq}`, conversationId },
          },
          { collection: "conversations", put: { ...conversation(seq + 1), id: conversationId } },
        ]),
      );
    let works = 0;
    texts.before = async () => void (works += 1);
    await say(1);
    await indexer.catchUp();
    expect([works, texts.indexed.length, indexer.isComplete]).to.deep.equal([2, 20, true]);
    texts.before = () => {
      texts.before = async () => undefined;
      return Promise.reject(new Error("The first is too much."));
    };
    await say(2);
    await indexer.catchUp();
    expect([texts.indexed.length, indexer.isComplete]).to.deep.equal([40, true]);
  });

  verifies("search:gone", "leaves nothing of a conversation that goes while it is indexed", async () => {
    await store(1, "tea");
    let held!: () => void;
    const reached = new Promise<void>((resolve) => {
      texts.before = () => {
        resolve();
        return new Promise((release) => (held = release));
      };
    });
    const caught = indexer.catchUp();
    await reached;
    texts.before = async () => undefined;
    await stores.commit([
      { collection: "conversations", delete: id },
      { collection: "messages", deleteWhere: { conversationId: id } },
      forgetting(id),
    ]);
    held();
    await caught;
    await indexer.catchUp();
    expect(await found()).to.deep.equal([]);
    expect(await stores.storage.collection("search_progress", { indexes: [] }).get(id)).to.equal(undefined);
  });

  verifies("search:imported", "begins anew with a conversation that took another's place", async () => {
    await store(1, "old tea");
    await indexer.catchUp();
    await stores.commit([
      { collection: "messages", deleteWhere: { conversationId: id } },
      forgetting(id),
      { collection: "messages", put: { ...message(1, "new tea"), id: "n1" } },
      { collection: "conversations", put: conversation(2) },
    ]);
    await indexer.catchUp();
    expect(await found()).to.deep.equal(["n1"]);
  });

  verifies("search:missed", "says so when it cannot be written, and tries again", async () => {
    await indexer.catchUp();
    texts.before = () => Promise.reject(new Error("The disk is full."));
    await store(1, "tea");
    await indexer.catchUp();
    expect([indexer.isComplete, await found()]).to.deep.equal([false, []]);
    texts.before = async () => undefined;
    await indexer.catchUp();
    expect([indexer.isComplete, await found()]).to.deep.equal([true, ["m1"]]);
  });

  verifies("search:hidden", "forgets a conversation that was hidden while it was not there", async () => {
    await store(1, "tea");
    await indexer.catchUp();
    const { indexed } = texts;
    await indexer.stop();
    await stores.conversations.put(conversation(2, true));
    const kept = texts;
    indexer = new Indexer({ stores, log } as unknown as Parts, kept);
    indexer.start({ isEmpty: false });
    await indexer.catchUp();
    expect(await eventually(async () => ((await found()).length === 0 ? true : undefined))).to.equal(true);
    expect(indexed).to.deep.equal(["tea"]);
  });
});
