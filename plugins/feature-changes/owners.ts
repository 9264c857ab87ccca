import { AppError, type Filter, type RunRecord } from "@pergola/sdk";
import type { ChangeGap, FileChangeRecord, Parts, RecordedCall } from "@pergola/sdk/host";
import type { Owner, Records, StoredChange, StoredGap } from "./records.ts";

const joined = (ids: readonly string[]): string => ids.map((id) => `${id}/`).join("");

export function ownerOf({ lineage, ...call }: RecordedCall): Owner {
  const { callId, conversationId, personsConversationId, tool, operation } = call;
  const runId = lineage.at(-1) ?? null;
  const ownerId = runId ?? callId;
  const above = runId === null ? [ownerId] : lineage;
  const facts = { runId, callId, revertId: null, conversationId, tool, operation };
  return {
    ...facts,
    personsConversationId,
    ownerId,
    rootId: above[0] ?? ownerId,
    lineage: joined(above),
  };
}

type Places = Pick<Owner, "conversationId" | "personsConversationId">;

export const revertOwner = (revertId: string, { conversationId, personsConversationId }: Places): Owner => ({
  ownerId: revertId,
  rootId: revertId,
  lineage: joined([revertId]),
  runId: null,
  callId: null,
  revertId,
  conversationId,
  personsConversationId,
  tool: "",
  operation: "revert",
});

/** The runs above one, the first of all at the beginning, and itself. */
async function lineageOf({ runs }: Parts, id: string): Promise<readonly string[]> {
  const { parentRunId } = await runs.get(id);
  if (parentRunId === null) return [id];
  return [...(await lineageOf({ runs } as Parts, parentRunId).catch(() => [parentRunId])), id];
}

/**
 * The filter for what a run and its sub-agents, a call by hand or a revert have changed. Rejects with
 * `not_found`.
 */
export async function scopeOf(
  parts: Parts,
  records: Records,
  { id, includeAgents = true }: { readonly id: string; readonly includeAgents?: boolean },
): Promise<Filter<Owner>> {
  if (!id.startsWith("run_")) {
    const known = [await records.changes.count({ ownerId: id }), await records.gaps.count({ ownerId: id })];
    if (known.every((count) => count === 0)) throw notFound(id);
    return { ownerId: id };
  }
  const lineage = await lineageOf(parts, id);
  if (!includeAgents) return { ownerId: id };
  const own = joined(lineage);
  // "0" is the character after "/".
  return { rootId: lineage[0] ?? id, lineage: { gte: own, lt: own.replace(/\/$/, "0") } };
}

/** Of a sub-agent's conversation, that are looked at. */
const mostRuns = 100_000;

/** The conversations in which the sub-agents of some runs have worked, and the sub-agents of these. */
async function agentsOf(parts: Parts, above: readonly RunRecord[]): Promise<readonly string[]> {
  if (above.length === 0) return [];
  const parentRunId = { in: above.map(({ id }) => id) };
  const agents = await parts.stores.runs.find({ parentRunId }, { limit: mostRuns });
  return [...agents.map(({ conversationId }) => conversationId), ...(await agentsOf(parts, agents))];
}

/** The filter for what was changed in a conversation; `includeAgents` adds what its sub-agents did. */
export async function filterIn(
  parts: Parts,
  conversationId: string,
  includeAgents = false,
): Promise<Filter<Owner>> {
  if (!includeAgents) return { conversationId };
  const { runs: stored } = parts.stores;
  const [first] = await stored.find({ conversationId }, { order: "createdAt", limit: 1 });
  if (first?.kind !== "subagent") return { personsConversationId: conversationId };
  const runs = await stored.find({ conversationId }, { limit: mostRuns });
  return { conversationId: { in: [conversationId, ...(await agentsOf(parts, runs))] } };
}

const notFound = (id: string): AppError =>
  new AppError({ code: "not_found", message: `There is no run, call or revert "${id}" with changes.` });

/** A change without what only the store needs. Earlier versions counted no lines. */
export const publicChange = ({
  ownerId: _ownerId,
  rootId,
  lineage: _lineage,
  personsConversationId: _personsConversationId,
  seq: _seq,
  contentId: _contentId,
  undoes: _undoes,
  maker: _maker,
  version: _version,
  additions = null,
  deletions = null,
  ...change
}: StoredChange & { readonly version?: number }): FileChangeRecord => ({
  ...change,
  additions,
  deletions,
  rootRunId: rootId.startsWith("run_") ? rootId : null,
});

export const publicGap = ({ callId, reason, at }: StoredGap): ChangeGap => ({ callId, reason, at });
