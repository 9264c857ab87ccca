import {
  defineProvider,
  ProviderClient,
  ProviderFailures,
  streamAnswer,
  type AnswerEvents,
  type AnswerFault,
  type AnswerPart,
  type FinishReason,
  type ModelCall,
  type ModelEvent,
  type PartReader,
  type Provider,
  type Usage,
} from "@pergola/sdk";
import {
  describeProvider,
  eventsOf,
  jsonReply,
  mockProviderServer,
  providerDoor,
  providerSettings,
  stepsOf,
  type MockPiece,
  type MockReply,
  type ScriptStep,
  type ScriptTurn,
} from "@pergola/sdk/testing";

/** Each line is an event as plugins know it, and `{ oops, status }` is a failure. */
class LineReader implements PartReader {
  readonly #events: AnswerEvents;
  #usage: Usage | undefined;
  #reason: FinishReason | undefined;
  fault: AnswerFault | undefined;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  get finished(): boolean {
    return this.#reason !== undefined;
  }

  read(part: AnswerPart): boolean {
    const event = part as ModelEvent;
    if ("oops" in part) this.fault = { error: part };
    else if (event.type === "usage") this.#usage = event.usage;
    else if (event.type === "end") this.#reason = event.reason;
    else this.#events.push(event);
    return true;
  }

  readWhole = (): boolean => false;

  end(): readonly ModelEvent[] {
    const end = { type: "end", reason: this.#reason ?? "stop" } as const;
    return this.#usage === undefined ? [end] : [{ type: "usage", usage: this.#usage }, end];
  }
}

const lines = defineProvider({
  type: "lines",
  prefix: "lines",
  name: "Lines",
  open(settings, { fetch, clock }): Provider {
    const failures = new ProviderFailures(settings, {
      clock,
      read: ({ oops, status }) => ({ message: String(oops), status: status as number | undefined }),
    });
    const client = new ProviderClient(fetch, failures);
    const { baseUrl = "", timeoutSeconds } = settings;
    const ask = (call: ModelCall) => async (signal: AbortSignal) =>
      client.send(`${baseUrl}/say`, { method: "POST", body: JSON.stringify(call.messages), signal });
    return {
      listModels: async () => [{ id: "test" }],
      stream(call, signal) {
        const reader = (events: AnswerEvents): PartReader => new LineReader(events);
        return streamAnswer(
          { ask: ask(call), reader, format: "lines", failures, clock, timeoutSeconds },
          signal,
        );
      },
    };
  },
});

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

function piecesOf(step: ScriptStep): readonly MockPiece[] {
  if ("delayMs" in step || "until" in step || "hang" in step) return [step];
  if ("error" in step) return [line({ oops: step.error.message, status: step.error.status })];
  return eventsOf(step)
    .filter(({ type }) => type !== "end")
    .map(line);
}

function replyOf(turn: ScriptTurn): MockReply {
  const steps = stepsOf(turn);
  const [first] = steps;
  if (first !== undefined && "error" in first) {
    const { status, message: oops, retryAfter } = first.error;
    const wait = retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } };
    return jsonReply({ oops }, { status, ...wait });
  }
  const events = steps.flatMap((step) => eventsOf(step));
  const calls = events.some(({ type }) => type === "tool_call");
  const end = events.find(({ type }) => type === "end") ?? {
    type: "end",
    reason: calls ? "tool_calls" : "stop",
  };
  const isBroken = steps.some((step) => "error" in step || "hang" in step);
  return {
    headers: { "content-type": "application/x-ndjson" },
    body: [...steps.flatMap(piecesOf), ...(isBroken ? [] : [line(end)])],
  };
}

describeProvider(
  "a source that answers with lines of JSON",
  async (turn) => {
    const server = await mockProviderServer(replyOf(turn));
    return {
      provider: await lines.open(providerSettings({ baseUrl: server.baseUrl }), providerDoor()),
      requestReceived: () => server.request(0),
      connectionClosed: async () => (await server.request(0)).outcome,
      close: () => server.close(),
    };
  },
  { plays: ["text", "tools", "reasoning", "usage", "errors", "hang"], lacks: ["content_filter"] },
);
