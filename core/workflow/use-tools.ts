import { defined, parseArguments, type FinishReason, type Message, type Write } from "@pergola/sdk";
import { callExecution, callMessage, type CallEnd, type NamedCall, type StoredCall } from "@pergola/sdk/host";
import type { Reply } from "./ask-model.ts";
import { streamedBeside, takeCarried, type Ending, type Flow } from "./flow.ts";
import { nameCalls } from "./name-calls.ts";
import { deliver } from "./settle-output.ts";

/** Stores what the model asked for and runs its calls. An ending, or undefined to go on. */
export async function useTools(flow: Flow, reply: Reply): Promise<Ending | undefined> {
  const { parts, run } = flow;
  const wanted = wantedCalls(flow, reply);
  const unnamed = wanted.filter((call) => !reply.handedOn.has(call));
  const others = await nameCalls(flow, unnamed);
  const calls = wanted.map((call) => others[unnamed.indexOf(call)] ?? call);
  const text = takeCarried(flow, reply.text);
  const message: Partial<Message> = defined({
    role: "assistant" as const,
    type: "assistant" as const,
    content: text || null,
    runId: run.id,
    visible: calls.some((call) => isCallers(flow, call)),
    toolCalls: calls.map((call) => storedCall(flow, call)),
    streamedText: streamedBeside(text, run),
    reasoningContent: reply.reasoning || undefined,
    extra: reply.extra,
  });
  // Calls without an effect are stored with their results; one with an effect waits until this is durable.
  run.storeSoon(parts.conversations.append(run.conversationId, [message]));
  return answerCalls(flow, calls, { handedOn: reply.handedOn });
}

/**
 * All calls, unless the request wants them one by one and the first is the caller's: what comes after it is
 * left out. Of the service's own the others are refused where they would run.
 */
function wantedCalls(flow: Flow, { calls }: Reply): readonly NamedCall[] {
  const { request, warnings } = flow.run;
  const [first] = calls;
  const isSingle = request.sampling.parallelToolCalls === false && first !== undefined;
  if (!isSingle || calls.length === 1 || !isCallers(flow, first)) return calls;
  warnings.push("parallel_tool_calls: the calls after the first one were left out");
  return [first];
}

const storedCall = (flow: Flow, call: NamedCall): StoredCall => ({
  ...call,
  arguments: wellFormed(call.arguments),
  ...(isCallers(flow, call) && { callers: true }),
});

const isCallers = ({ run }: Flow, { name }: NamedCall): boolean =>
  run.request.callerTools.some((tool) => tool.name === name);

/** `resumed`: the calls may have been started before. `handedOn`: the client has these already. */
interface AnswerOptions {
  readonly resumed?: boolean;
  readonly handedOn?: Reply["handedOn"];
}

/** Runs the calls that are the service's own and hands on those of the caller's tools. */
export async function answerCalls(
  flow: Flow,
  calls: readonly NamedCall[],
  { resumed = false, handedOn }: AnswerOptions,
): Promise<Ending | undefined> {
  const { run, session } = flow;
  const isSingle = run.request.sampling.parallelToolCalls === false;
  const forCaller = calls.filter((call, index) => isCallers(flow, call) && (!isSingle || index === 0));
  const own = calls.filter((call) => !forCaller.includes(call));
  await runOwn(flow, own, resumed);
  if (run.signal.aborted) return { reason: "cancelled" };
  for (const [index, call] of forCaller.entries())
    if (handedOn?.has(call) !== true) run.emit({ type: "caller_call", index, call });
  if (forCaller.length > 0) {
    // A program that reads the answer's form takes no words beside a call for one.
    if (flow.output !== undefined) deliver(flow, "");
    return { reason: "workflow_complete", finishReason: finishOf(flow), callerCalls: forCaller };
  }
  return session.exhausted ? { reason: "tool_execution_failed" } : undefined;
}

/** The model's own reason where it says that calls are cut off: a client must not run those. */
const finishOf = ({ last }: Flow): FinishReason =>
  last?.finishReason === "length" ? "length" : "tool_calls";

/** Cut-off arguments are never sent again: a provider would refuse the whole history. */
function wellFormed(text: string): string {
  try {
    return JSON.stringify(parseArguments(text));
  } catch {
    return "{}";
  }
}

/**
 * Runs the calls and stores each result as soon as it is there. Throws when the service stops: what is left
 * over runs after its next start.
 */
async function runOwn(flow: Flow, own: readonly NamedCall[], resumed: boolean): Promise<void> {
  const { run, session } = flow;
  for await (const ends of session.run(own, resumed)) {
    if (!run.isInterrupted) {
      storeResults(flow, ends);
      continue;
    }
    const cut = ends.findIndex(isCancelled);
    storeResults(flow, cut < 0 ? ends : ends.slice(0, cut));
    throw run.signal.reason;
  }
}

const isCancelled = ({ result }: CallEnd): boolean => result.error_code === "cancelled";

/** Results become messages, stored in one commit with the end of their calls. */
function storeResults(flow: Flow, ends: readonly CallEnd[]): void {
  const { parts, run } = flow;
  const known = ends.filter(({ tool }) => parts.tools.isFamily(tool));
  const used = known.filter((end) => !isCancelled(end)).map(({ tool }) => tool);
  const counts = {
    toolCallCount: run.record.toolCallCount + known.length,
    toolsUsed: [...new Set([...run.record.toolsUsed, ...used])],
    hadErrors: run.record.hadErrors || ends.some(({ result }) => !result.success),
  };
  // What has been sent since the calls says what they waited for.
  const noted = run.streamedText === flow.answered ? {} : { streamedText: run.streamedText };
  const messages = parts.conversations.append(
    run.conversationId,
    ends.map((end) => ({ ...callMessage(end, run, parts.timestamp()), ...noted })),
  );
  const finished = ends.map(({ callId }): Write => ({ collection: "calls", delete: callId }));
  run.store(counts, [...messages, ...finished]);
  for (const end of ends) flow.executions.push(callExecution(end, run.record.iterations, parts.timestamp()));
}
