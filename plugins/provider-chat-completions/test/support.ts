import type {
  ChatMessage,
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
  memoryVault,
  providerDoor,
  providerSettings,
  textOfEvents,
} from "@pergola/sdk/testing";
import plugin from "../index.ts";

/** Of the form that no server invents: a test that finds it anywhere has found a leak. */
export const key = "sk-canary-0123456789abcdef";

/** Logged in, with a token that lasts: a kind with a login asks GitHub nothing. */
export const loggedIn = () =>
  memoryVault({ github: "gho_canary-0123456789abcdef", service: key, renewAt: Number.MAX_SAFE_INTEGER });

export const kinds = (plugin.providers ?? []).map(({ type }) => type);

/** A provider of a kind, opened as the host would. */
export async function open(
  type: string,
  given: Partial<ProviderSettings> = {},
  door: Partial<ProviderDoor> = {},
): Promise<Provider> {
  const definition = plugin.providers?.find((kind) => kind.type === type);
  if (definition === undefined) throw new Error(`no kind ${type}`);
  const { name, prefix, baseUrl } = definition;
  const address = baseUrl === undefined ? {} : { baseUrl };
  return definition.open(
    providerSettings({ type, name, prefix, ...address, apiKey: key, ...given }),
    providerDoor({ vault: loggedIn(), ...door }),
  );
}

export const user = (content: ChatMessage["content"]): ChatMessage => ({ role: "user", content });

export const call = (given: Partial<ModelCall> = {}): ModelCall => ({
  model: "test",
  messages: [user("Hello")],
  tools: [],
  sampling: {},
  ...given,
});

export const tool: OfferedTool = {
  name: "todo_operations",
  description: "Keep a list.",
  parameters: { type: "object", properties: { operation: { type: "string" } }, required: ["operation"] },
  operations: [],
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
    ...lastOfEvents(events),
    events,
    error,
  };
}

/** What a provider of kind `custom` makes of these bytes, read by read. */
export const answerTo = async (...pieces: readonly (string | Uint8Array)[]): Promise<Answer> =>
  ask(await open("custom", { baseUrl: "http://127.0.0.1:9/v1" }, { fetch: answering(pieces) }));

/** A call in the middle of a tool loop, with everything set that a caller can set. */
export const fullCall: ModelCall = {
  model: "test",
  messages: [
    { role: "system", content: "Be brief." },
    user("List."),
    {
      role: "assistant",
      content: null,
      reasoning: "A tool helps.",
      toolCalls: [{ id: "call_1", name: "todo_operations", arguments: '{"operation":"list"}' }],
    },
    { role: "tool", toolCallId: "call_1", name: "todo_operations", content: "[]" },
  ],
  tools: [tool],
  sampling: {
    temperature: 1.2,
    topP: 0.9,
    maxTokens: 100,
    repetitionPenalty: 1.1,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stop: ["END"],
    seed: 7,
    responseFormat: { type: "json_object" },
    toolChoice: "auto",
    parallelToolCalls: true,
    user: "u1",
  },
  thinking: { mode: "enabled", effort: "low" },
};
