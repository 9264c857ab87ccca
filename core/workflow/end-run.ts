import type { Message, RunOutcome, RunRecord } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { takeCarried, type Ending, type Flow } from "./flow.ts";

/**
 * Stores the last message and how the run ended in one commit, and tells whoever follows it. Never rejects.
 */
export async function endRun(
  parts: Parts,
  run: ActiveRun,
  flow: Flow | undefined,
  ending: Ending,
): Promise<void> {
  await run.stored().catch(() => undefined);
  const cancelled =
    run.signal.aborted &&
    !run.interrupted &&
    ending.reason !== "workflow_complete" &&
    run.failure === undefined;
  const reason = cancelled ? "cancelled" : ending.reason;
  const error = cancelled ? null : (run.failure ?? ending.error ?? null);
  const unseen = error !== null && !run.admitted && run.record.iterations <= 1;
  if (unseen) run.refuse();
  else if (!run.admitted) void run.admit().catch(() => undefined);
  const isCut = run.interrupted && !unseen && (reason === "error" || reason === "cancelled");
  const last = flow === undefined ? "" : takeCarried(flow, flow.last?.text ?? "");
  const text = last === "" ? (flow?.streamed ?? "") : last;
  const calls = ending.callerCalls ?? [];
  const shownError = error === null ? null : { message: error.message, type: error.type, code: error.code };
  const ended = {
    completionReason: reason,
    error: shownError,
    hadErrors: run.record.hadErrors || error !== null || reason === "tool_execution_failed",
    endedAt: parts.timestamp(),
    pendingToolCallIds: [],
    request: { ...run.record.request, messages: [] },
  };
  if (!unseen && !isCut)
    await parts.conversations
      .entitleAtEnd(run, reason)
      .catch((cause: unknown) => parts.errorOf(cause, { run: run.id }));
  const final = {
    role: "assistant",
    type: "assistant",
    content: text,
    runId: run.id,
    visible: true,
    streamedText: flow?.streamed ?? "",
    completionReason: reason,
  } as const;
  const reasoning = flow === undefined || flow.reasoning === "" ? {} : { reasoningContent: flow.reasoning };
  const messages: readonly Partial<Message>[] =
    unseen || isCut || text === "" || calls.length > 0 ? [] : [{ ...final, ...reasoning }];
  const writes = parts.conversations.append(run.conversationId, messages);
  const outcomeOf = (record: RunRecord): RunOutcome => ({
    run: record,
    answeredBy: run.model,
    text,
    reasoning: flow?.reasoning ?? "",
    finishReason: ending.finishReason ?? "stop",
    callerCalls: calls,
    usageSource: flow?.estimated === false ? "provider" : "estimated",
    duration: flow === undefined ? 0 : (parts.clock.now() - flow.begun) / 1000,
    warnings: [...new Set(run.warnings)],
    ...(flow?.last?.statefulMarker === undefined ? {} : { statefulMarker: flow.last.statefulMarker }),
    iterations: flow?.iterations ?? [],
    executions: flow?.executions ?? [],
    error,
  });
  if (isCut) run.store({ status: "interrupted" }, writes);
  else run.store({ status: "ended", ...ended }, unseen ? [] : writes, outcomeOf);
  const failed = await run.stored().then(
    () => null,
    (cause: unknown) => parts.errorOf(cause, { run: run.id }),
  );
  const outcome = outcomeOf(run.record);
  run.end(failed === null ? outcome : { ...outcome, error: failed, unstored: true });
  void parts.hooks.runEnded(run.record);
}
