import { defined, type JsonObject, type Message } from "@pergola/sdk";
import type { Cassette, Parts, RecordedExecution, RecordedFamily, RecordedMessage } from "@pergola/sdk/host";
import { lengthOfRequest, recordedCall, type StoredTrace } from "./read-steps.ts";

/** Tokens of a context window of which nothing is known. */
const customaryWindow = 32_768;

/** Preferences that decide over tool calls: by what their keys begin with. */
const deciding = /^(?:authorization|workflow|output|tool_results)\./;

/** Messages before a run among which the calls are looked for that its request answers. */
const mostBefore = 200;

/**
 * The messages that the run began with. Where the first of them answers calls of the client's own tools,
 * those from the last message of the person on.
 */
async function messagesBefore(parts: Parts, trace: StoredTrace): Promise<readonly Message[]> {
  const request = trace.messages.slice(0, lengthOfRequest(trace));
  const [first] = request;
  if (first?.role !== "tool") return request;
  const page = { limit: mostBefore, before: first.seq, newest: true } as const;
  const before = await parts.conversations.messages(trace.run.conversationId, page);
  const begin = before.findLastIndex(({ role }) => role === "user");
  return [...before.slice(Math.max(0, begin)), ...request];
}

const recordedMessage = ({ role, content, toolCalls, toolCallId }: Message): RecordedMessage =>
  defined({
    role,
    text: content ?? "",
    toolCalls: toolCalls?.map((call) => recordedCall(call, new Map())),
    toolCallId,
  });

/** What the run asked its models for. */
export async function readRequest(parts: Parts, trace: StoredTrace): Promise<Cassette["request"]> {
  const { request, outline, maxIterations, kind } = trace.run;
  const { user: _, ...parameters } = outline?.sampling ?? request.sampling;
  const messages = await messagesBefore(parts, trace);
  return {
    kind,
    messages: messages.map(recordedMessage),
    ...defined({ tools: outline?.offered?.toSorted() }),
    callerTools: request.callerTools,
    parameters,
    enableMemory: request.enableMemory,
    contextWindow: outline?.contextWindow ?? customaryWindow,
    maxIterations,
  };
}

/** The preferences that somebody has set and that decide over tool calls, by key. */
export function decidingSettings({ preferences }: Parts): JsonObject {
  const set = preferences
    .list()
    .filter(({ key, from, schema }) => deciding.test(key) && from !== "default" && !schema["x-secret"]);
  return Object.fromEntries(set.map(({ key, value }) => [key, value]));
}

/** The families among those called that are not Pergola's own, as far as a stand-in needs them. */
export function calledFamilies(
  { registered }: Parts,
  calls: readonly Pick<RecordedExecution, "tool" | "operation">[],
): readonly RecordedFamily[] {
  const called = new Set(calls.map(({ tool, operation }) => `${tool}.${operation}`));
  const foreign = registered.tools.filter(({ plugin }) => !plugin.package.startsWith("@pergola/"));
  const families = foreign.map(({ tool: { name: family, operations } }) => ({
    name: family,
    operations: operations
      .filter(({ name }) => called.has(`${family}.${name}`))
      .map(({ name, effect, effects = [], parameters, required, additional }) => ({
        name,
        effect: typeof effect === "function" ? (effects.at(-1) ?? "execute") : effect,
        parameters,
        required,
        ...defined({ additional }),
      })),
  }));
  return families.filter(({ operations }) => operations.length > 0);
}
