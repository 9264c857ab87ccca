import type {
  ChatMessage,
  JsonObject,
  ModelCall,
  ModelEvent,
  OfferedTool,
  Provider,
  ProviderDoor,
  ProviderFetch,
  ProviderSettings,
  Usage,
} from "@pergola/sdk";
import {
  collectEvents,
  lastOfEvents,
  eventsOf,
  frame,
  jsonReply,
  providerDoor,
  providerSettings,
  stepsOf,
  textOfEvents,
  type MockPiece,
  type MockReply,
  type ScriptStep,
  type ScriptTurn,
} from "@pergola/sdk/testing";
import { gemini } from "../index.ts";

/** Of the form that no server invents: a test that finds it anywhere has found a leak. */
export const key = "AIza-canary-0123456789abcdef";

/** A provider, opened as the host would. */
export async function open(
  given: Partial<ProviderSettings> = {},
  door: Partial<ProviderDoor> = {},
): Promise<Provider> {
  const { type, name, prefix, baseUrl = "" } = gemini;
  return gemini.open(
    providerSettings({ type, name, prefix, baseUrl, apiKey: key, ...given }),
    providerDoor(door),
  );
}

export const user = (content: ChatMessage["content"]): ChatMessage => ({ role: "user", content });

export const call = (given: Partial<ModelCall> = {}): ModelCall => ({
  model: "gemini-3-flash",
  messages: [user("Hello")],
  tools: [],
  sampling: {},
  ...given,
});

export const tool: OfferedTool = {
  name: "todo_operations",
  description: "Keep a list.",
  parameters: {
    type: "object",
    properties: { operation: { type: "string" } },
    required: ["operation"],
    additionalProperties: false,
  },
};

const bytesOf = (piece: string | Uint8Array): Uint8Array =>
  typeof piece === "string" ? Buffer.from(piece) : piece;

async function* bodyOf(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield bytesOf(piece);
}

/** Answers every request with these bytes, read by read. */
export const answering =
  (pieces: readonly (string | Uint8Array)[], status = 200): ProviderFetch =>
  async () => ({
    status,
    header: () => undefined,
    body: bodyOf(pieces),
    text: async () => Buffer.concat(pieces.map(bytesOf)).toString("utf8"),
  });

/** A chunk of an answer. */
export const chunk = (parts: readonly object[], finishReason?: string, more: object = {}): object => ({
  candidates: [
    { content: { role: "model", parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) },
  ],
  modelVersion: "gemini-3-flash",
  responseId: "response-1",
  ...more,
});

const wireUsage = ({ promptTokens, completionTokens, cachedTokens, reasoningTokens = 0 }: Usage): object => ({
  promptTokenCount: promptTokens,
  candidatesTokenCount: completionTokens - reasoningTokens,
  totalTokenCount: promptTokens + completionTokens,
  ...(cachedTokens === undefined ? {} : { cachedContentTokenCount: cachedTokens }),
  ...(reasoningTokens === 0 ? {} : { thoughtsTokenCount: reasoningTokens }),
});

const reasons: Readonly<Record<string, string>> = { length: "MAX_TOKENS", content_filter: "SAFETY" };

/** Google's error object. */
export const errorBody = (status: number, message: string, retryDelay?: string): object => ({
  error: {
    code: status,
    message,
    status: "UNKNOWN",
    details:
      retryDelay === undefined ? [] : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }],
  },
});

/** Calls come whole: their pieces are joined. */
function partsOf(events: readonly ModelEvent[]): readonly object[] {
  const calls = new Map<number, { name: string; args: string }>();
  const parts: object[] = [];
  for (const event of events) {
    if (event.type === "text") parts.push({ text: event.text });
    if (event.type === "reasoning") parts.push({ text: event.text, thought: true });
    if (event.type !== "tool_call") continue;
    const known = calls.get(event.index) ?? { name: event.name ?? "", args: "" };
    calls.set(event.index, { ...known, args: known.args + (event.arguments ?? "") });
  }
  return [
    ...parts,
    ...[...calls.values()].map(({ name, args }) => ({
      functionCall: { name, args: JSON.parse(args) as unknown },
    })),
  ];
}

function piecesOf(step: ScriptStep): readonly MockPiece[] {
  if ("delayMs" in step || "until" in step || "hang" in step) return [step];
  if ("error" in step) return [frame(errorBody(step.error.status, step.error.message ?? ""))];
  const events = eventsOf(step);
  if ("toolCalls" in step) return [frame(chunk(partsOf(events)))];
  return events.flatMap((event) => partsOf([event])).map((part) => frame(chunk([part])));
}

/** A scripted turn as Gemini sends it; what `chatReply` is for the chat-completions format. */
export function geminiReply(turn: ScriptTurn): MockReply {
  const steps = stepsOf(turn);
  const [first] = steps;
  if (first !== undefined && "error" in first) {
    const { status, message = "", retryAfter } = first.error;
    return jsonReply(
      errorBody(status, message, retryAfter === undefined ? undefined : `${retryAfter - 0.6}s`),
      { status },
    );
  }
  const broken = steps.some((step) => "error" in step || "hang" in step);
  const events = steps.flatMap((step) => eventsOf(step));
  const usage = events.findLast((event) => event.type === "usage");
  const end = events.find((event) => event.type === "end");
  const last = chunk(
    [{ text: "" }],
    reasons[end?.reason ?? ""] ?? "STOP",
    usage === undefined ? {} : { usageMetadata: wireUsage(usage.usage) },
  );
  return { body: [...steps.flatMap(piecesOf), ...(broken ? [] : [frame(last)])] };
}

export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly ids: readonly string[];
  readonly warnings: readonly string[];
  readonly usage: readonly Usage[];
  readonly last: ModelEvent | undefined;
  readonly model: string | undefined;
  readonly error: unknown;
}

/** One call, folded: what a host would make of it. */
export async function ask(
  provider: Provider,
  given: Partial<ModelCall> = {},
  signal = new AbortController().signal,
): Promise<Answer> {
  const { events, error } = await collectEvents(provider.stream(call(given), signal));
  const calls = events.filter((event) => event.type === "tool_call");
  return {
    text: textOfEvents(events),
    reasoning: textOfEvents(events, "reasoning"),
    calls: calls.map(({ name = "", arguments: args = "" }) => ({ name, arguments: args })),
    ids: calls.map(({ id = "" }) => id),
    warnings: events.flatMap((event) => (event.type === "warning" ? [event.text] : [])),
    usage: events.flatMap((event) => (event.type === "usage" ? [event.usage] : [])),
    ...lastOfEvents(events),
    error,
  };
}

/** What the provider makes of these bytes, read by read. */
export const answerTo = async (...pieces: readonly (string | Uint8Array)[]): Promise<Answer> =>
  ask(await open({}, { fetch: answering(pieces) }));

/** The same for whole chunks. */
export const answerToChunks = (...chunks: readonly object[]): Promise<Answer> =>
  answerTo(...chunks.map((one) => frame(one)));

export interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject & {
    readonly contents: readonly { readonly role: string; readonly parts: readonly JsonObject[] }[];
    readonly generationConfig?: JsonObject;
  };
  readonly warnings: readonly string[];
}

/** What a call sends; `provider` is one that has heard something before. */
export async function sent(
  given: Partial<ModelCall>,
  settings: Partial<ProviderSettings> = {},
): Promise<Sent> {
  const seen: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = [];
  const fetch: ProviderFetch = async (url, init) => {
    seen.push({ url, headers: init.headers ?? {}, body: String(init.body ?? "") });
    return answering([frame(chunk([{ text: "Yes." }], "STOP"))])(url, init);
  };
  const { warnings, error } = await ask(await open(settings, { fetch }), given);
  if (error !== undefined) throw error as Error;
  const [{ url, headers, body } = { url: "", headers: {}, body: "{}" }] = seen;
  return { url, headers, body: JSON.parse(body) as Sent["body"], warnings };
}
