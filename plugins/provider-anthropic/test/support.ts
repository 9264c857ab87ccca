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
} from "@pergola/sdk";
import {
  collectEvents,
  lastOfEvents,
  providerDoor,
  providerSettings,
  textOfEvents,
} from "@pergola/sdk/testing";
import { anthropic } from "../index.ts";

/** Of the form that no server invents: a test that finds it anywhere has found a leak. */
export const key = "sk-ant-canary-0123456789abcdef";

/** The provider, opened as the host would. */
export async function open(
  given: Partial<ProviderSettings> = {},
  door: Partial<ProviderDoor> = {},
): Promise<Provider> {
  const { type, name, prefix, baseUrl = "" } = anthropic;
  return anthropic.open(
    providerSettings({ type, name, prefix, baseUrl, apiKey: key, ...given }),
    providerDoor(door),
  );
}

export const user = (content: ChatMessage["content"]): ChatMessage => ({ role: "user", content });

/** A model of the present, which thinks by itself and takes no temperature; and one of the past. */
export const current = "claude-opus-5";
export const past = "claude-sonnet-4-5-20250929";

export const call = (given: Partial<ModelCall> = {}): ModelCall => ({
  model: past,
  messages: [user("Hello")],
  tools: [],
  sampling: { maxTokens: 100 },
  ...given,
});

export const tool: OfferedTool = {
  name: "todo_operations",
  description: "Keep a list.",
  parameters: { type: "object", properties: { operation: { type: "string" } }, required: ["operation"] },
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

export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly warnings: readonly string[];
  readonly extra: JsonObject | undefined;
  readonly usage: unknown;
  readonly last: ModelEvent | undefined;
  readonly model: string | undefined;
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
}

function callsOf(events: readonly ModelEvent[]): Answer["calls"] {
  const calls = new Map<number, Answer["calls"][number]>();
  for (const event of events) {
    if (event.type !== "tool_call") continue;
    const { id = "", name = "", arguments: args = "" } = event;
    const known = calls.get(event.index) ?? { id: "", name: "", arguments: "" };
    calls.set(event.index, { id: known.id + id, name: known.name + name, arguments: known.arguments + args });
  }
  return [...calls.values()];
}

/** One call, folded: what a host would make of it. */
export async function ask(
  provider: Provider,
  given: Partial<ModelCall> = {},
  signal = new AbortController().signal,
): Promise<Answer> {
  const { events, error } = await collectEvents(provider.stream(call(given), signal));
  return {
    text: textOfEvents(events),
    reasoning: textOfEvents(events, "reasoning"),
    calls: callsOf(events),
    warnings: events.flatMap((event) => (event.type === "warning" ? [event.text] : [])),
    extra: events.find((event) => event.type === "extra")?.extra,
    usage: events.find((event) => event.type === "usage")?.usage,
    ...lastOfEvents(events),
    events,
    error,
  };
}

/** What the provider makes of these bytes, read by read. */
export const answerTo = async (...pieces: readonly (string | Uint8Array)[]): Promise<Answer> =>
  ask(await open({}, { fetch: answering(pieces) }));

export interface SentBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly JsonObject[];
  readonly messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[];
  readonly tools?: readonly JsonObject[];
  readonly [key: string]: unknown;
}

/**
 * The body that a call is sent as, and what is warned of; the answer is empty. `cache` is off unless the
 * settings say something.
 */
export async function sent(
  given: Partial<ModelCall> = {},
  extra: JsonObject = { cache: false },
): Promise<{ readonly body: SentBody; readonly warnings: readonly string[] }> {
  let body = "";
  const whole = answering(['event: message_stop\ndata: {"type":"message_stop"}\n\n']);
  const fetch: ProviderFetch = async (url, init) => {
    body = String(init.body ?? "");
    return whole(url, init);
  };
  const { warnings } = await ask(await open({ extra }, { fetch }), given);
  return { body: JSON.parse(body) as SentBody, warnings };
}

/** The fields of a body beside model, messages, tools and stream. */
export const fieldsOf = async (given: Partial<ModelCall>) => {
  const { body, warnings } = await sent(given);
  const { model: _, messages: __, tools: ___, stream: ____, ...fields } = body;
  return { fields, warnings };
};
