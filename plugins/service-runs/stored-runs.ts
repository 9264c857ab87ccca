import {
  AppError,
  defined,
  newId,
  type JsonObject,
  type ModelDetails,
  type Message,
  type RunRecord,
  type RunRequest,
  type Stored,
  type Write,
} from "@pergola/sdk";
import { retryConflicts, type Fence, type Parts, type StoredRun } from "@pergola/sdk/host";
import type { RunInProgress } from "./run-in-progress.ts";

/** What of a stored run may be shown. */
export const publicRun = ({
  request: _request,
  cancelRequested: _cancel,
  outline: _outline,
  version: _version,
  ...run
}: StoredRun & { readonly version?: number }): RunRecord => run;

/** The record of a run that is accepted and has done nothing yet. */
export function newRun(
  parts: Parts,
  { annotations, trace, ...request }: RunRequest,
  conversationId: string,
  model: ModelDetails,
): StoredRun {
  return {
    ...defined({ annotations, trace }),
    id: newId.run(),
    conversationId,
    parentRunId: request.parent?.runId ?? null,
    kind: request.kind,
    status: "queued",
    completionReason: null,
    model: model.modelId,
    provider: model.providerId,
    iterations: 0,
    maxIterations: request.maxIterations ?? parts.preferences.get<number>("workflow.max_iterations"),
    toolCallCount: 0,
    toolsUsed: [],
    hadErrors: false,
    error: null,
    usage: { promptTokens: 0, completionTokens: 0 },
    cost: 0,
    lacksPrice: false,
    isEstimated: false,
    pendingToolCallIds: [],
    createdAt: parts.timestamp(),
    startedAt: null,
    endedAt: null,
    request,
  };
}

/** Changes the record of a run at work, durably where it is stored at all. */
export async function noteDown(run: RunInProgress, changes: Partial<StoredRun>): Promise<RunRecord> {
  run.updateRecord(changes);
  if (run.isAdmitted) run.store({});
  await run.flush();
  return publicRun(run.record);
}

/** Stores all the annotations of a run that nobody works on. */
export async function annotateStored(
  { stores }: Parts,
  id: string,
  annotations: JsonObject,
): Promise<RunRecord> {
  const { version, ...stored } = (await stores.runs.get(id)) as Stored<StoredRun>;
  const put = { ...stored, annotations };
  await stores.commit([{ collection: "runs", put, ifVersion: version }]);
  return publicRun(put);
}

const textOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ role, content }) => (role === "assistant" && content ? [content] : [])).join("\n\n");

/**
 * What a run that nobody works on has stored: the calls of its last answer that have no result, the text of
 * its answers, and all that it has streamed as text.
 */
export async function leftBy(parts: Parts, runId: string) {
  const messages: readonly Message[] = await parts.stores.messages.find(
    { runId },
    { order: "seq", limit: 100_000 },
  );
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
  const last = messages.findLast(({ toolCalls }) => toolCalls !== undefined);
  const shown = messages.findLast(
    ({ role, streamedText }) => streamedText !== undefined || role === "assistant",
  );
  return {
    open: (last?.toolCalls ?? []).filter(({ id }) => !answered.has(id)),
    answeredText: textOf(messages),
    streamedText: shown?.streamedText ?? shown?.content ?? "",
  };
}

/**
 * Ends a run that nobody works on. Its open calls are answered, those that were started as doubtful, so that
 * the history stays valid. With the fence of its conversation, where hosts share the storage: a host that was
 * out of reach changes nothing that another one has gone on with, and is refused with `conflict`.
 */
export async function endStored(
  parts: Parts,
  run: StoredRun,
  ending: Pick<StoredRun, "completionReason" | "error">,
  fence?: Fence,
): Promise<void> {
  await retryConflicts(() => endOnce(parts, run, ending, fence));
}

/** One commit changes all: nothing where the fence does not hold, or where a question is answered. */
async function endOnce(...[parts, run, ending, fence]: Parameters<typeof endStored>): Promise<void> {
  const { approvals, conversations, stores } = parts;
  const questions = await approvals.cancelling({ runId: run.id });
  const { open } = await leftBy(parts, run.id);
  const started = new Set((await stores.calls.find({ runId: run.id })).map(({ id }) => id));
  const calls = open.map(({ id }) => ({ id, doubtful: started.has(id) }));
  const messages = await conversations.answerCalls(run, calls);
  const hadErrors = run.hadErrors || ending.error !== null;
  const ended: StoredRun = {
    ...run,
    ...ending,
    hadErrors,
    status: "ended",
    endedAt: parts.timestamp(),
    pendingToolCallIds: [],
    request: { ...run.request, messages: [] },
  };
  const writes: readonly Write[] = [
    ...messages,
    ...questions.writes,
    { collection: "calls", deleteWhere: { runId: run.id } },
    { collection: "runs", put: ended },
  ];
  await stores.commit(writes, { fence });
  questions.tell();
  void parts.hooks.runEnded(ended);
}

export const notResumable = (status: string): AppError =>
  new AppError({
    code: "not_resumable",
    message: `Only an interrupted run can be resumed; this one is ${status}.`,
  });
