import type { CompletionReason, Message, RunOutcome } from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import type { Ending, Flow } from "./flow.ts";
import type { ActiveRun } from "./live-run.ts";
import { titleFrom } from "./title.ts";
import { toChat } from "./window.ts";

/** Stores the last message and how the run ended in one commit, and tells whoever follows it. Never rejects. */
export async function endRun(parts: Parts, run: ActiveRun, flow: Flow | undefined, ending: Ending): Promise<void> {
  await run.stored().catch(() => undefined);
  const cancelled = run.signal.aborted && !run.interrupted && ending.reason !== "workflow_complete" && run.failure === undefined;
  const reason = cancelled ? "cancelled" : ending.reason;
  const error = cancelled ? null : (run.failure ?? ending.error ?? null);
  const unseen = error !== null && !run.admitted && run.record.iterations <= 1;
  if (unseen) run.refuse();
  else if (!run.admitted) void run.admit().catch(() => undefined);
  const isCut = run.interrupted && !unseen && (reason === "error" || reason === "cancelled");
  const text = flow?.last?.text === "" || flow?.last === undefined ? (flow?.streamed ?? "") : flow.last.text;
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
  if (!unseen && !isCut) await finalTitle(parts, run, reason).catch((cause: unknown) => parts.errorOf(cause, { run: run.id }));
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
  const messages: readonly Partial<Message>[] = unseen || isCut || text === "" || calls.length > 0 ? [] : [{ ...final, ...reasoning }];
  const writes = parts.conversations.append(run.conversationId, messages);
  run.store(isCut ? { status: "interrupted" } : { status: "ended", ...ended }, unseen ? [] : writes);
  const failed = await run.stored().then(
    () => null,
    (cause: unknown) => parts.errorOf(cause, { run: run.id }),
  );
  const outcome: RunOutcome = {
    run: run.record,
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
    error: failed ?? error,
    ...(failed === null ? {} : { unstored: true }),
  };
  run.end(outcome);
  void parts.hooks.runEnded(run.record);
}

/** Without a title from the model or the person, the first user message gives one. */
async function finalTitle(parts: Parts, run: ActiveRun, reason: CompletionReason): Promise<void> {
  const { titleSetBy, title } = parts.conversations.held(run.conversationId);
  if (titleSetBy !== "default" || !title.startsWith("New Conversation") || reason === "cancelled") return;
  const isUsers = ({ role }: { readonly role: string }): boolean => role === "user";
  const stored = run.request.messages.some(isUsers) ? [] : toChat(await parts.conversations.messages(run.conversationId, { limit: 10 }));
  const said = [...run.request.messages, ...stored].find(isUsers)?.content ?? "";
  const wanted = titleFrom(typeof said === "string" ? said : said.map((part) => (part.type === "text" ? part.text : "")).join(" "));
  if (wanted !== "") await setTitle({ parts, run }, wanted, "service");
}

/** Clashes get a number; the client hears of it. */
export async function setTitle(
  { parts, run }: Pick<Flow, "parts" | "run">,
  wanted: string,
  titleSetBy: "model" | "service",
): Promise<void> {
  const title = await parts.conversations.freeTitle(wanted);
  if (parts.conversations.held(run.conversationId).titleSetBy === "user") return;
  run.emit({ type: "title", title });
  run.store({}, [parts.conversations.set(run.conversationId, { title, titleSetBy })]);
}
