import { messageOf, type Awaitable, type Storage } from "@pergola/sdk";
import { checkRule, demand, within, type Rule } from "../conformance/rule.ts";
import { notesOf, putNote } from "./notes.ts";

/** Opens one store, again and again: what was kept in it before is there. */
export type OpenAgain = () => Awaitable<Storage>;

const limit = 10_000;

async function keepsAll(open: OpenAgain): Promise<void> {
  const before = await open();
  await notesOf(before).put({ id: "a", scope: "s", body: 1 });
  await notesOf(before).put({ id: "a", scope: "s", body: 2 });
  await before.blobs.put("bytes", new Uint8Array([0, 255]));
  await before.close();
  const after = await open();
  const note = await notesOf(after).get("a");
  const bytes = await after.blobs.get("bytes");
  await after.close();
  demand(note !== undefined, "A record is gone after the store was opened again.");
  demand(note.version === 2 && note.body === 2, "A record has another version or content after a restart.");
  demand(bytes?.[1] === 255, "A blob is gone after the store was opened again.");
}

async function takesSizes(open: OpenAgain): Promise<void> {
  const storage = await open();
  const body = "x".repeat(2 ** 20);
  const bytes = new Uint8Array(4 * 2 ** 20).fill(7);
  try {
    await notesOf(storage).put({ id: "large", scope: "s", body });
    await storage.blobs.put("large", bytes);
    const note = await notesOf(storage).get("large");
    const piece = await storage.blobs.get("large", { start: bytes.length - 2, end: bytes.length });
    demand(note?.body === body, "A record of 1 MiB came back as another.");
    demand(piece?.length === 2, "The end of a blob of 4 MiB is not there.");
  } finally {
    await storage.close();
  }
}

async function repeatsNothing(open: OpenAgain): Promise<void> {
  const storage = await open();
  const notes = notesOf(storage);
  await notes.put({ id: "count", scope: "s", body: 0 });
  const write = { collection: "notes", put: { id: "count", scope: "s", body: 1 }, ifVersion: 1 };
  const all = await Promise.allSettled([1, 2, 3, 4].map(async () => storage.commit([write])));
  const wins = all.filter(({ status }) => status === "fulfilled").length;
  await storage.close();
  demand(wins === 1, `Of four commits on the same version ${wins} went through; only one may.`);
}

async function endsCleanly(open: OpenAgain): Promise<void> {
  const storage = await open();
  await storage.close();
  const late = (async () => notesOf(storage).put({ id: "late", scope: "s", body: 1 }))().then(
    () => "stored",
    () => "refused",
  );
  const outcome = await within(limit, late, "A write after the close");
  demand(outcome === "refused", "A write after the close is told to be stored.");
}

/** A storage has no calls that can be aborted by themselves: its host ends them all when it stops. */
async function endsCalls(open: OpenAgain): Promise<void> {
  const storage = await open();
  const notes = notesOf(storage);
  const writes = Array.from({ length: 50 }, async (_, index) =>
    notes.put({ id: `cut${index}`, scope: "s", body: "x".repeat(10_000) }),
  );
  const settled = Promise.allSettled(writes);
  await within(limit, storage.close(), "Closing in the middle of writes");
  await within(limit, settled, "A write that a close cut off");
}

async function holdsNobody(open: OpenAgain): Promise<void> {
  const storage = await open();
  try {
    const notes = notesOf(storage);
    await notes.put({ id: "a", scope: "s", body: 1 });
    const large = Array.from({ length: 8 }, async (_, index) =>
      storage.blobs.put(`large${index}`, new Uint8Array(4 * 2 ** 20)),
    );
    const written = Promise.all(large);
    const read = notes.get("a").then(
      (note) => (note?.body === 1 ? undefined : "it found another record"),
      (error: unknown) => messageOf(error),
    );
    const fault = await within(limit, read, "A read beside large writes");
    await within(3 * limit, written, "Writing 32 MiB");
    demand(fault === undefined, `A read beside large writes failed: ${fault}`);
  } finally {
    await storage.close();
  }
}

/** What was told to be stored when the store was closed is there, and of all else nothing or the whole. */
async function keepsWhatItTold(open: OpenAgain): Promise<void> {
  const before = await open();
  notesOf(before);
  const pairs = Array.from({ length: 50 }, (_, index) => [`left${index}`, `right${index}`]);
  const commits = Promise.allSettled(
    pairs.map(async (ids) => before.commit(ids.map((id) => putNote({ id, scope: "s" })))),
  );
  await within(limit, before.close(), "Closing in the middle of commits");
  const told = await within(limit, commits, "A commit that a close cut off");
  const after = await open();
  const found = await notesOf(after).find({ scope: "s" });
  await after.close();
  const ids = new Set(found.map(({ id }) => id));
  for (const [index, sides] of pairs.entries()) {
    const there = sides.filter((id) => ids.has(id)).length;
    demand(there !== 1, "Of a commit that was cut off by a close a part is there.");
    const isTold = told[index]?.status === "fulfilled";
    demand(!isTold || there === 2, "A commit is gone that was told to be stored before the close.");
  }
}

/** What every storage that keeps its data must do around restarts, and under faults. */
export const storageFaultRules: readonly Rule<OpenAgain>[] = [
  { name: "restart", title: "has everything after it is opened again", check: keepsAll },
  {
    name: "restart in the call",
    title: "has what it told to be stored before a close in the middle of commits, and halves nothing",
    check: keepsWhatItTold,
  },
  { name: "abort", title: "ends all calls when it is closed", check: endsCalls },
  { name: "slow", title: "answers reads beside large writes", check: holdsNobody },
  { name: "huge output", title: "keeps large records and blobs whole", check: takesSizes },
  { name: "once", title: "lets one of several commits on a version through", check: repeatsNothing },
  { name: "closed", title: "refuses what comes after its close, at once", check: endsCleanly },
];

/** The same as a part of `describeStorage`. */
export function describeStorageFaults(open: () => OpenAgain): void {
  describe("restarts and faults", function () {
    this.timeout(60_000);
    for (const rule of storageFaultRules) it(`${rule.name}: ${rule.title}`, () => checkRule(rule, open()));
  });
}
