import path from "node:path";
import { AppError, type Caller } from "@pergola/sdk";
import type {
  ChangeDiff,
  DiffRequest,
  FileState,
  Parts,
  PreviewDiff,
  PreviewedFile,
  RestoringFiles,
} from "@pergola/sdk/host";
import type { Contents } from "./contents.ts";
import { see } from "./file-states.ts";
import { publicChange } from "./owners.ts";
import type { Records, StoredChange } from "./records.ts";
import { diffOf, widened } from "./text-diff.ts";

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

/** A caller from elsewhere sees only what lies where its conversations may work; else this is unknown. */
async function checkPlace(
  { parts }: Sources,
  { path: at, from }: Pick<StoredChange, "path" | "from">,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!caller.remote) return;
  try {
    for (const file of [at, from ?? at])
      await parts.conversations.checkWorkingDirectory(path.dirname(file), caller);
  } catch {
    throw unknown(id);
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
  { against, whole }: DiffRequest,
  caller: Caller,
): Promise<ChangeDiff> {
  const change = await sources.records.changes.get(id);
  if (change === undefined) throw unknown(id);
  await checkPlace(sources, change, caller, id);
  const facts = publicChange(change);
  const answer = { changeId: id, path: facts.path, from: facts.from, kind: facts.kind };
  const [from, to] = await sidesOf(sources, change, against);
  if (typeof from === "string") return { ...answer, diff: null, reason: from };
  if (typeof to === "string") return { ...answer, diff: null, reason: to };
  const redact = (text: string): string => sources.parts.redact(text);
  const diff = await diffOf(from, to, redact, whole ? "whole" : "short");
  if (diff !== undefined) return { ...answer, diff, reason: null };
  return { ...answer, diff: null, reason: "The contents are too large to be compared." };
}

/** What a call was shown to begin with; undefined where something else stands there by now. */
async function bytesBefore(
  sources: Sources,
  { path: at, from, before }: PreviewedFile,
): Promise<Uint8Array | undefined> {
  const { state, bytes = new Uint8Array() } = await onDisk(sources, from ?? at);
  return (state?.sha256 ?? null) === (before?.sha256 ?? null) ? bytes : undefined;
}

const absent = (reason: string): PreviewDiff => ({ diff: null, reason });

/**
 * What a call that waits for its answer would change in a file, with all lines around that, as long as the
 * file is the one that was shown. Rejects with `not_found`, also for what the caller must not see.
 */
export async function readPreviewDiff(
  sources: Sources,
  approvalId: string,
  at: string,
  caller: Caller,
): Promise<PreviewDiff> {
  const { preview } = await sources.parts.approvals.get(approvalId);
  const file = preview?.files.find((one) => one.path === at);
  if (file === undefined) throw unknown(at);
  await checkPlace(sources, file, caller, at);
  const { hunks, ...facts } = file.diff ?? { truncated: true };
  if (hunks === undefined || facts.truncated) return absent("It is too long to be shown whole.");
  const bytes = await bytesBefore(sources, file);
  const redact = (text: string): string => sources.parts.redact(text);
  const diff = bytes && (await widened({ ...facts, hunks }, bytes, redact));
  return diff ? { diff, reason: null } : absent("The file has changed since this was shown.");
}
