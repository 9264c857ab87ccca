import { defined, type Message, type RunOutcome, type RunRecord } from "@pergola/sdk";
import type { ActiveRun, Parts, StoredRun } from "@pergola/sdk/host";
import { streamedBeside, takeCarried, type Ending, type Flow, type Progress } from "./flow.ts";

/** A run whose loop is over. */
interface RunEnd {
  readonly parts: Parts;
  readonly run: ActiveRun;
  readonly progress: Progress;
  readonly ending: Ending;
  /** The text of the last message. */
  readonly text: string;
}

/**
 * Ends a run in one of four ways, stores the last message and the end in one commit, and resolves the run
 * when both are durable. Never rejects.
 */
export async function endRun(flow: Pick<Flow, "parts" | "run"> & Progress, ending: Ending): Promise<void> {
  const { parts, run } = flow;
  await run.flush().catch(() => undefined);
  const { close, ...final } = chooseClose(run, ending);
  const text = takeCarried(flow, flow.last?.text ?? "") || flow.answered;
  const end: RunEnd = {
    parts,
    run,
    progress: flow,
    ending: final.ending,
    text,
  };
  await close(end);
  const failure = await run.flush().then(
    () => null,
    (cause: unknown) => parts.errorOf(cause, { run: run.id }),
  );
  const outcome = outcomeOf(end, run.record);
  run.end(failure === null ? outcome : { ...outcome, error: failure, storageFailed: true });
  // What could not be stored, or is left open, may go on.
  const isOver = failure === null && run.record.status === "ended";
  void parts.hooks.runEnded(isOver ? run.record : { ...run.record, status: "interrupted" });
}

type Close = (end: RunEnd) => void | Promise<void>;

interface ChosenClose {
  readonly close: Close;
  readonly ending: Ending;
}

function chooseClose(run: ActiveRun, ending: Ending): ChosenClose {
  if (run.isInterrupted) return closeStopped(run, ending);
  // It goes on where it was once the storage answers: ended, it would leave calls without an answer.
  if (isStorageAway(run, ending)) return { close: () => undefined, ending };
  if (ending.reason !== "workflow_complete") {
    if (run.expired !== undefined)
      return closeFailed(run, { ...ending, reason: "error", error: run.failure ?? run.expired });
    if (run.signal.aborted && run.failure === undefined)
      return {
        close: closeCancelled,
        ending: { ...defined({ ...ending, error: undefined }), reason: "cancelled" },
      };
  }
  return closeFailed(run, withFailure(run, ending));
}

function closeStopped(run: ActiveRun, ending: Ending): ChosenClose {
  const failed = withFailure(run, ending);
  const isCut = failed.reason === "error" || failed.reason === "cancelled";
  if (isCut && !isRefused(run, failed)) return { close: closeInterrupted, ending: failed };
  return closeFailed(run, failed);
}

const isStorageAway = ({ isAdmitted, failure }: ActiveRun, { error }: Ending): boolean =>
  isAdmitted && failure === undefined && error?.code === "storage_unavailable";

const withFailure = ({ failure }: ActiveRun, ending: Ending): Ending => ({
  ...ending,
  ...defined({ error: failure ?? ending.error }),
});

const isRefused = ({ isAdmitted, record }: ActiveRun, { error }: Ending): boolean =>
  error !== undefined && !isAdmitted && record.iterations <= 1;

const closeFailed = (run: ActiveRun, ending: Ending): ChosenClose => ({
  close: isRefused(run, ending) ? closeRefused : closeEnded,
  ending,
});

/** It failed before there was anything to see: only its record is stored, nothing in its conversation. */
function closeRefused(end: RunEnd): void {
  end.run.refuse();
  end.run.store(endedRecord(end), [], (record) => outcomeOf(end, record));
}

/** The service stops: the run stays as it is and can be resumed. */
function closeInterrupted({ parts, run }: RunEnd): void {
  admit(run);
  run.store({ status: "interrupted" }, parts.conversations.append(run.conversationId, []));
}

/** The text so far becomes the last message, without a title. */
async function closeCancelled(end: RunEnd): Promise<void> {
  await setTitle(end, true);
  storeEnd(end, lastMessage(end));
}

async function closeEnded(end: RunEnd): Promise<void> {
  await setTitle(end, false);
  storeEnd(end, lastMessage(end));
}

async function setTitle({ parts, run }: RunEnd, isStopped: boolean): Promise<void> {
  // A title that cannot be stored is not announced either.
  if (run.failure !== undefined) return;
  await parts.conversations
    .setTitleAtEnd(run, isStopped)
    .catch((cause: unknown) => parts.errorOf(cause, { run: run.id }));
}

function admit(run: ActiveRun): void {
  if (!run.isAdmitted) void run.admit().catch(() => undefined);
}

function storeEnd(end: RunEnd, messages: readonly Partial<Message>[]): void {
  const { parts, run } = end;
  const writes = parts.conversations.append(run.conversationId, messages);
  run.store(endedRecord(end), writes, (record) => outcomeOf(end, record));
}

function endedRecord({ parts, run, ending: { reason, error } }: RunEnd): Partial<StoredRun> {
  const { hadErrors, request } = run.record;
  return {
    status: "ended",
    completionReason: reason,
    error: error ? { message: error.message, type: error.type, code: error.code } : null,
    hadErrors: hadErrors || error !== undefined || reason === "tool_execution_failed",
    endedAt: parts.timestamp(),
    pendingToolCallIds: [],
    request: { ...request, messages: [] },
  };
}

/** None where there is no text, or where calls of the caller's tools have stored it already. */
function lastMessage({ run, progress, ending, text }: RunEnd): readonly Partial<Message>[] {
  if (text === "" || ending.callerCalls !== undefined) return [];
  const message = {
    role: "assistant",
    type: "assistant",
    content: text,
    runId: run.id,
    visible: true,
    streamedText: streamedBeside(text, run),
    completionReason: ending.reason,
    memories: run.memories.size > 0 ? [...run.memories.values()] : undefined,
    reasoningContent: progress.reasoning || undefined,
  } as const;
  return [defined(message)];
}

function outcomeOf({ parts, run, progress, ending, text }: RunEnd, record: RunRecord): RunOutcome {
  const { begun, estimated, executions, iterations, last, reasoning } = progress;
  return {
    run: record,
    answeredBy: run.model,
    text,
    reasoning,
    finishReason: ending.finishReason ?? "stop",
    callerCalls: ending.callerCalls ?? [],
    usageSource: estimated ? "estimated" : "provider",
    duration: (parts.clock.now() - begun) / 1000,
    warnings: [...new Set(run.warnings)],
    memories: [...run.memories.values()],
    ...defined({ statefulMarker: last?.statefulMarker, branchedFrom: run.branchedFrom }),
    iterations,
    executions,
    error: ending.error ?? null,
  };
}
