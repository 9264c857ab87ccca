import { createRequire } from "node:module";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import type { Message } from "@pergola/sdk";
import { openStores, type ResultRecord } from "@pergola/sdk/host";
import type Sqlite from "better-sqlite3";
import { openSqlite } from "../../../plugins/storage-sqlite/open-sqlite.ts";
import { root } from "../../architecture/tree.ts";
import { many } from "../client.ts";
import { silentLog } from "../fill.ts";
import { measure, quiet, ratioOf, type Round, type Visit } from "../measure.ts";
import type { Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

type Stores = ReturnType<typeof openStores>;

const Database = createRequire(path.join(root, "plugins/storage-sqlite/package.json"))(
  "better-sqlite3",
) as typeof Sqlite;

/** The bare database: one durable transaction for each record. */
function bareStore(file: string) {
  const db = new Database(file);
  db.pragma("journal_mode=WAL");
  db.pragma("synchronous=FULL");
  db.exec("CREATE TABLE record (id TEXT PRIMARY KEY, body TEXT)");
  const insert = db.prepare("INSERT INTO record (id, body) VALUES (?, ?)");
  const select = db.prepare("SELECT body FROM record WHERE id = ?");
  return {
    put: (record: { readonly id: string }) => insert.run(record.id, JSON.stringify(record)),
    get: (id: string) => JSON.parse((select.get(id) as { readonly body: string }).body) as unknown,
    close: () => db.close(),
  };
}

let written = 0;
const nextId = (): string => `bench-${(written += 1)}`;
const time = "2026-01-01T00:00:00.000Z";

function message(): Message {
  const id = nextId();
  return {
    id,
    conversationId: `conversation-${written % 100}`,
    seq: written,
    role: "user",
    type: "user",
    content: `${written} ${"Some words of an ordinary message. ".repeat(10)}`,
    timestamp: time,
    runId: null,
    visible: true,
  };
}

const payload = "A line of a large result of a tool.\n".repeat(569);

function result(): ResultRecord {
  const id = nextId();
  return {
    id,
    resultId: id,
    toolCallId: `call-${id}`,
    toolName: "bench",
    operation: "bench",
    conversationId: `conversation-${written % 100}`,
    totalLength: payload.length,
    content: payload,
    mimeType: "text/plain",
    bytes: payload.length,
    createdAt: time,
  };
}

/** Microseconds of one of so many. */
const each =
  (count: number, work: () => Promise<unknown>): Round =>
  async () => {
    const begun = performance.now();
    await work();
    return ((performance.now() - begun) * 1000) / count;
  };

async function fill(stores: Stores, collection: string, count: number, make: () => object): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const puts = Array.from({ length: Math.min(500, count - from) }, make);
    await stores.commit(puts.map((put) => ({ collection, put: put as Message })));
  }
}

const [appends, width] = [2000, 32];
/** What the large store holds from the beginning. */
const before = { messages: 100_000, results: 10_000 };

interface Legs {
  readonly small: Stores;
  readonly large: Stores;
  readonly bare: ReturnType<typeof bareStore>;
}

async function appending({ small, large, bare }: Legs, visit: Visit): Promise<readonly Figure[]> {
  const appendTo = (stores: Stores): Round =>
    each(appends, () =>
      many(appends, width, () => stores.commit([{ collection: "messages", put: message() }])),
    );
  const bareRound = each(appends, async () => {
    for (let turn = 0; turn < appends; turn++) bare.put(message());
  });
  const legs = { bare: bareRound, few: appendTo(small), much: appendTo(large) };
  const { of } = await measure(legs, { pairs: 5, least: 5, warm: 5 }, visit, "appended: ");
  const [taken, takenLater] = [quiet(of.few), quiet(of.much)];
  const speed = (taken: number): string => `${(1e6 / taken).toFixed(0)} a second`;
  return [
    {
      id: "P11",
      what: `messages appended a second, ${width} at once, ÷ bare SQLite, one after the other`,
      value: ratioOf(of.bare, of.few),
      unit: "×",
      goal: 0.5,
      atLeast: true,
      detail: `${speed(taken)}, bare ${speed(quiet(of.bare))}`,
    },
    {
      id: "P11",
      what: "the same with 100,000 messages there ÷ with some 10,000",
      value: ratioOf(of.few, of.much),
      unit: "×",
      goal: 0.85,
      atLeast: true,
      detail: speed(takenLater),
    },
  ];
}

const results = 100;

async function keeping({ small, large, bare }: Legs, visit: Visit): Promise<readonly Figure[]> {
  const keepIn = (stores: Stores): Round =>
    each(results, async () => {
      for (let turn = 0; turn < results; turn++) {
        const record = result();
        await stores.results.put(record);
        await stores.results.get(record.id);
      }
    });
  const bareRound = each(results, async () => {
    for (let turn = 0; turn < results; turn++) {
      const record = result();
      bare.put(record);
      bare.get(record.id);
    }
  });
  const legs = { bare: bareRound, few: keepIn(small), much: keepIn(large) };
  const { of } = await measure(legs, { pairs: 20, least: 4, warm: 4 }, visit, "kept: ");
  const [taken, takenLater, takenBare] = [quiet(of.few), quiet(of.much), quiet(of.bare)];
  return [
    {
      id: "P14",
      what: "a tool result of 20 KB: kept and read ÷ bare SQLite",
      value: ratioOf(of.few, of.bare),
      unit: "×",
      goal: 2,
      detail: `${taken.toFixed(0)} against ${takenBare.toFixed(0)} µs`,
    },
    {
      id: "P14",
      what: "the same with 10,000 results there ÷ with some 1,000",
      value: ratioOf(of.much, of.few),
      unit: "×",
      goal: 1.15,
      detail: `${takenLater.toFixed(0)} µs`,
    },
  ];
}

/** A store as the service opens it, in this process. */
async function openStore(dataDirectory: string) {
  const storage = await openSqlite({ durability: "power" }, { dataDirectory, log: silentLog });
  return { stores: openStores(storage), close: () => storage.close() };
}

/** Makes the data of the large store, which all visits use. */
async function makeLarge(folder: string): Promise<string> {
  const data = mkdtempSync(path.join(folder, "large-storage-"));
  const { stores, close } = await openStore(data);
  await fill(stores, "messages", before.messages, message);
  await fill(stores, "results", before.results, result);
  await close();
  return data;
}

/**
 * P11 and P14: the storage under the service, in this process, against SQLite alone. A small store and a
 * large one take turns: a neighbour slows both.
 */
export async function storageSpeed({ folder }: Setting, visit: Visit): Promise<readonly Figure[]> {
  const large = await openStore(await visit.keep(() => makeLarge(folder)));
  const data = mkdtempSync(path.join(folder, "storage-"));
  const small = await openStore(data);
  const bare = bareStore(path.join(data, "bare.db"));
  try {
    const legs = { small: small.stores, large: large.stores, bare };
    return [...(await appending(legs, visit)), ...(await keeping(legs, visit))];
  } finally {
    bare.close();
    await Promise.all([small.close(), large.close()]);
  }
}
