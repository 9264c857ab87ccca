import { parseArguments, type Json, type JsonObject, type Message } from "@pergola/sdk";
import {
  type Parts,
  type RecordedAnswer,
  type RecordedExecution,
  type RecordedStep,
  type RecordedToolCall,
  type StoredApproval,
  type StoredCall,
  type StoredRun,
} from "@pergola/sdk/host";

/** What is stored of a run. */
export interface StoredTrace {
  readonly run: StoredRun;
  /** Those of the run, in order; what it began with stands before its first answer. */
  readonly messages: readonly Message[];
  /** In order. */
  readonly approvals: readonly StoredApproval[];
}

/** How many of the messages belong to the request. */
export function lengthOfRequest({ messages }: StoredTrace): number {
  const first = messages.findIndex(({ role }) => role === "assistant");
  return first < 0 ? messages.length : first;
}

const asking = ({ messages }: StoredTrace): readonly Message[] =>
  messages.filter(({ toolCalls }) => toolCalls !== undefined);

/** The name of every call in the recording, by its id: `call_<model call>_<number>`. */
export const callNames = (trace: StoredTrace): ReadonlyMap<string, string> =>
  new Map(
    asking(trace).flatMap(({ toolCalls = [] }, step) =>
      toolCalls.map(({ id }, index) => [id, `call_${step + 1}_${index + 1}`] as const),
    ),
  );

function argumentsIn(text: string): JsonObject | string {
  try {
    return parseArguments(text);
  } catch {
    return text;
  }
}

/** A call as the model wrote it. */
export const recordedCall = (
  { id, name, arguments: text }: StoredCall,
  names: ReadonlyMap<string, string>,
): RecordedToolCall => ({ id: names.get(id) ?? id, name, arguments: argumentsIn(text) });

/** The last answer of the person to the question whether a call may run. */
function approvalOf(
  { approvals }: StoredTrace,
  callId: string,
): Pick<RecordedExecution, "approval"> | undefined {
  const asked = approvals.findLast(
    ({ toolCallId, kind, authorizeOperation, preview }) =>
      toolCallId === callId && kind === "approval" && authorizeOperation === null && preview !== null,
  );
  if (asked === undefined) return undefined;
  const { decision, status, answer } = asked;
  return { approval: { decision: decision ?? status, ...(answer ? { text: answer } : {}) } };
}

function resultIn(content: string | null): Json {
  try {
    return JSON.parse(content ?? "") as Json;
  } catch {
    return content ?? "";
  }
}

function executionOf(
  parts: Parts,
  trace: StoredTrace,
  { call, id }: { readonly call: StoredCall; readonly id: string },
): readonly RecordedExecution[] {
  const ended = trace.messages
    .slice(lengthOfRequest(trace))
    .find(({ role, toolCallId }) => role === "tool" && toolCallId === call.id);
  if (call.callers === true || ended === undefined) return [];
  const { toolName = call.name, toolOperation = "", toolPassage, content } = ended;
  return [
    {
      id,
      tool: toolName,
      operation: toolOperation,
      arguments: parts.tools.meaningOf(call).arguments,
      ...approvalOf(trace, call.id),
      ...toolPassage,
      result: resultIn(content),
    },
  ];
}

/** The text of the last message, and whether the last model call said it: else it repeats earlier answers. */
export function lastText(trace: StoredTrace): { readonly text: string; readonly isAnswer: boolean } {
  const earlier = asking(trace).flatMap(({ content }) => content ?? []);
  const last = trace.messages.at(-1);
  const text = last?.role === "assistant" && last.toolCalls === undefined ? (last.content ?? "") : "";
  return { text, isAnswer: earlier.length === 0 || text !== earlier.join("\n\n") };
}

/** What the last model call answered; undefined where the run ended with the tool calls before it. */
function lastAnswer(trace: StoredTrace): RecordedAnswer | undefined {
  const { completionReason, error } = trace.run;
  const { text: shown, isAnswer } = lastText(trace);
  const text = isAnswer ? shown : "";
  if (completionReason === "tool_execution_failed") return undefined;
  if (completionReason === "error" && error !== null) {
    const { code, message } = error;
    return { text, toolCalls: [], finishReason: "stop", error: { code, message } };
  }
  if (completionReason === "max_iterations_reached") {
    const unheard = { id: "call_not_run", name: "not_run", arguments: {} };
    return { text, toolCalls: [unheard], finishReason: "tool_calls" };
  }
  const isHandedOver = asking(trace)
    .at(-1)
    ?.toolCalls?.some(({ callers }) => callers === true);
  return isHandedOver ? undefined : { text, toolCalls: [], finishReason: "stop" };
}

/** The model calls of a run, each with the tool calls that it led to. */
export function readSteps(parts: Parts, trace: StoredTrace): readonly RecordedStep[] {
  const names = callNames(trace);
  const steps = asking(trace).map(({ content, toolCalls = [] }): RecordedStep => ({
    answer: {
      text: content ?? "",
      toolCalls: toolCalls.map((call) => recordedCall(call, names)),
      finishReason: "tool_calls",
    },
    executions: toolCalls.flatMap((call) =>
      executionOf(parts, trace, { call, id: names.get(call.id) ?? call.id }),
    ),
  }));
  const answer = lastAnswer(trace);
  return answer === undefined ? steps : [...steps, { answer, executions: [] }];
}
