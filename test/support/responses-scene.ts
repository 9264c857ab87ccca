import { chatReply, streamLines, type ScriptStep, type ScriptTurn } from "@pergola/sdk/testing";
import { openStage, type Stage } from "./host.ts";

export interface ResponseItem {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly call_id: string;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly summary: readonly { readonly text: string }[];
  readonly [key: string]: unknown;
}

export interface ResponseAnswer {
  readonly id: string;
  readonly status: string;
  readonly output: readonly ResponseItem[];
  readonly conversation: { readonly id: string };
  readonly usage: Readonly<Record<string, unknown>>;
  readonly service_metadata: {
    readonly run_id: string;
    readonly workflow: object;
    readonly conversation_id: string | null;
  };
  readonly error: { readonly code: string; readonly message: string; readonly param?: string };
  readonly [key: string]: unknown;
}

export interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly response: ResponseAnswer;
  readonly delta: string;
  readonly [key: string]: unknown;
}

export const weather = {
  type: "function",
  name: "weather",
  description: "Of a city",
  parameters: { type: "object", properties: { city: {} } },
};
export const asksWeather: ScriptTurn = {
  toolCalls: [{ name: "weather", arguments: { city: "Oslo" }, id: "call_w" }],
};
export const think: ScriptStep = { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] };
export const textOf = ({ output }: ResponseAnswer): string =>
  output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join("");

/** For a suite: a host of its own, and how responses are asked of it. */
export function responsesScene() {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, { settings: { "stream.ping_seconds": 1 } });
  });
  after(() => stage.end());

  const create = async (body: object, script: readonly ScriptTurn[] = [{ text: "Hello." }]) => {
    stage.provider.play(script.map(chatReply));
    return stage.host.json<ResponseAnswer>("POST", "/v1/responses", {
      model: "default",
      input: "Hi",
      ...body,
    });
  };
  const open = (body: object, signal?: AbortSignal) =>
    fetch(`${stage.host.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "default", input: "Hi", stream: true, ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
  const stream = async (body: object, script: readonly ScriptTurn[] = [{ text: "Hello." }]) => {
    stage.provider.play(script.map(chatReply));
    const events: ResponseEvent[] = [];
    for await (const line of streamLines(await open(body))) events.push(JSON.parse(line) as ResponseEvent);
    return events;
  };
  return {
    get stage(): Stage {
      return stage;
    },
    create,
    open,
    stream,
  };
}
