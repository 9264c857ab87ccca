import path from "node:path";
import { AppError, type Caller } from "@pergola/sdk";
import type { ChangeDiff, FileState, Parts, RestoringFiles } from "@pergola/sdk/host";
import type { Contents } from "./contents.ts";
import { see } from "./file-states.ts";
import { publicChange } from "./owners.ts";
import type { Records, StoredChange } from "./records.ts";
import { diffOf } from "./text-diff.ts";

/** Where contents are looked for. */
interface Sources {
  readonly parts: Parts;
  readonly records: Records;
  readonly contents: Contents;
  readonly files: RestoringFiles;
  /** Bytes of the largest file that is read. */
  readonly limit: number;
}

const unknown = (id: string): AppError =>
  new AppError({ code: "not_found", message: `There is no change "${id}".` });

/** A caller from elsewhere sees only what lies where its conversations may work. */
async function checkPlace({ parts }: Sources, change: StoredChange, caller: Caller): Promise<void> {
  if (!caller.remote) return;
  try {
    for (const file of [change.path, change.from ?? change.path])
      await parts.conversations.checkWorkingDirectory(path.dirname(file), caller);
  } catch {
    throw unknown(change.id);
  }
}

/** What stands at a path now, if it is a file that is not too large. */
const onDisk = async ({ files, limit }: Sources, file: string) =>
  see(files, file, limit).catch(() => ({ state: null, bytes: undefined }));

/** The bytes of a state; a text says why nobody has them. */
async function bytesOf(
  sources: Sources,
  state: FileState | null,
  places: readonly string[],
): Promise<Uint8Array | string> {
  if (state === null) return new Uint8Array();
  if (state.kind === "directory") return "A folder has no content.";
  if (state.kind === "link") return "A link has no content.";
  if (state.sha256 === null) return "The file is too large.";
  const kept = await sources.contents.find(state.sha256);
  if (kept !== undefined) return kept;
  for (const place of places) {
    const { state: there, bytes } = await onDisk(sources, place);
    if (there?.sha256 === state.sha256 && bytes !== undefined) return bytes;
  }
  return "The content was not kept, or has expired.";
}

async function bytesNow(sources: Sources, file: string): Promise<Uint8Array | string> {
  const { state, bytes } = await onDisk(sources, file);
  return bytes ?? bytesOf(sources, state, []);
}

/** Where a content of a change may lie by now. */
async function placesOf({ records }: Sources, { path: at, from }: StoredChange): Promise<readonly string[]> {
  const renamed = await records.changes.find({ from: at }, { order: "-seq", limit: 10 });
  return [at, ...renamed.map((change) => change.path), ...(from === null ? [] : [from])];
}

/** From what to what the diff goes. */
async function sidesOf(sources: Sources, change: StoredChange, against: "run" | "now") {
  const places = await placesOf(sources, change);
  const before = bytesOf(sources, change.before ?? (change.from === null ? null : change.after), places);
  if (against === "now") return Promise.all([bytesNow(sources, change.path), before]);
  return Promise.all([before, bytesOf(sources, change.after, places)]);
}

/** Rejects with `not_found`, also for what the caller must not see. */
export async function readDiff(
  sources: Sources,
  id: string,
  against: "run" | "now",
  caller: Caller,
): Promise<ChangeDiff> {
  const change = await sources.records.changes.get(id);
  if (change === undefined) throw unknown(id);
  await checkPlace(sources, change, caller);
  const facts = publicChange(change);
  const answer = { changeId: id, path: facts.path, from: facts.from, kind: facts.kind };
  const [from, to] = await sidesOf(sources, change, against);
  if (typeof from === "string") return { ...answer, diff: null, reason: from };
  if (typeof to === "string") return { ...answer, diff: null, reason: to };
  const diff = await diffOf(from, to, (text) => sources.parts.redact(text));
  if (diff !== undefined) return { ...answer, diff, reason: null };
  return { ...answer, diff: null, reason: "The contents are too large to be compared." };
}
