import type { Log } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { compareAll, type Compared } from "./compare-all.ts";
import { copyAll, type Move } from "./copy-all.ts";
import { movingFrom, removeMark, setMark } from "./moving-mark.ts";
import { isEmpty, namesIn, type WholeStorage } from "./read-all.ts";
import { hasHosts, openSource, openTarget, type OpenSide, type StorageSide } from "./storage-side.ts";

export interface MoveRequest {
  readonly from: StorageSide;
  readonly to: StorageSide;
  /** Compares only. */
  readonly checkOnly: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onCopied: Move["onCopied"];
  /** Everything was copied, and is compared now. */
  readonly onCompare: () => void;
}

export interface MoveResult {
  /** Whether both sides hold the same, and nothing is written to the source any more. */
  readonly finished: boolean;
  /** A service has worked on the source meanwhile. */
  readonly sourceInUse: boolean;
  readonly compared: readonly Compared[];
}

/**
 * Copies all that one storage has into another, and compares both. The target is marked until both are equal
 * and nobody writes to the source any more: no service starts on it before. The source is only read. Rejects
 * with AppError, PluginError, or the signal's reason.
 */
export async function moveAll(request: MoveRequest): Promise<MoveResult> {
  const { from, to, log } = request;
  if (from.place === to.place)
    throw fault("invalid_value", `Both are the same storage: ${from.place}. Name another one with --to.`);
  const source = await openSource(from, log);
  try {
    return await moveFrom(source, request);
  } finally {
    await source.close();
  }
}

async function moveFrom(source: OpenSide, request: MoveRequest): Promise<MoveResult> {
  const { storage: target, close } = await openTarget(request.to, request.log);
  try {
    const sides: Move = { ...request, source: source.storage, target };
    if (!request.checkOnly) {
      await claimTarget(target, request);
      await copyAll(sides, await namesIn(source.storage));
    }
    request.onCompare();
    const compared = await compareAll(sides);
    const sourceInUse = source.isInUse || (await hasOtherHosts(request.from, source));
    const finished = !sourceInUse && compared.every(({ equal }) => equal);
    if (finished && !request.checkOnly) await removeMark(target);
    return { finished, sourceInUse, compared };
  } finally {
    await close();
  }
}

/** Whether a service has begun to work on a shared source meanwhile, which has this command for a host. */
async function hasOtherHosts(from: StorageSide, source: OpenSide): Promise<boolean> {
  if (source.storage.hosts === undefined) return false;
  await source.close();
  return hasHosts(from);
}

/** Throws AppError where the target holds something else. */
async function claimTarget(target: WholeStorage, { from, to }: MoveRequest): Promise<void> {
  const begun = await movingFrom(target);
  if (begun === from.place) return;
  if (begun !== undefined) {
    const message = `${to.place} has a part of what is being moved there from ${begun}. Name another target.`;
    throw fault("invalid_value", message);
  }
  if (!(await isEmpty(target))) {
    const message =
      `${to.place} has data of its own; nothing was changed. Move it away, or name another target ` +
      "(another schema, or sqlite:other.db).";
    throw fault("invalid_value", message);
  }
  await setMark(target, from.place);
}
