import type { Awaitable, Storage } from "@pergola/sdk";
import { checkRule, demand, within, type Rule } from "../conformance/rule.ts";
import { notesOf } from "./notes.ts";

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

/** What every storage that keeps its data must do around restarts, and under faults. */
export const storageFaultRules: readonly Rule<OpenAgain>[] = [
  { name: "restart", title: "has everything after it is opened again", check: keepsAll },
  { name: "huge output", title: "keeps large records and blobs whole", check: takesSizes },
  { name: "once", title: "lets one of several commits on a version through", check: repeatsNothing },
  { name: "closed", title: "refuses what comes after its close, at once", check: endsCleanly },
];

/** The same as a part of `describeStorage`. */
export function describeStorageFaults(open: () => OpenAgain): void {
  describe("restarts and faults", function () {
    this.timeout(30_000);
    for (const rule of storageFaultRules) it(`${rule.name}: ${rule.title}`, () => checkRule(rule, open()));
  });
}
