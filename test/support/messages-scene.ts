import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { sentBody, type WireMessage } from "./chat.ts";
import { openStage, type Stage } from "./host.ts";

export type Block = Readonly<Record<string, unknown>>;

export interface MessageAnswer {
  readonly id: string;
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly usage: Block;
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
  };
  readonly [key: string]: unknown;
}

export interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly [key: string]: unknown;
}

export const user = (content: unknown) => ({ role: "user", content });
export const assistant = (content: unknown) => ({ role: "assistant", content });
export const tool = (name: string) => ({
  name,
  description: `My ${name}`,
  input_schema: { type: "object", properties: { city: { type: "string" } } },
});
export const thinkCall = { name: "think", arguments: { thoughts: "hm" } };

const deltaText = ({ text = "", thinking = "", partial_json: json = "" }: Readonly<Record<string, string>>) =>
  text + thinking + json;

/** The blocks of a stream by their index: type, text of the deltas, and a full stop where one is closed. */
export function foldBlocks(events: readonly MessageEvent[]): ReadonlyMap<number, string> {
  const folded = new Map<number, string>();
  for (const { type, index = -1, content_block: block, delta } of events) {
    const before = folded.get(index) ?? "?";
    if (type === "content_block_start") folded.set(index, `${String((block as Block)["type"])}:`);
    if (type === "content_block_delta")
      folded.set(index, before + deltaText((delta ?? {}) as Readonly<Record<string, string>>));
    if (type === "content_block_stop") folded.set(index, `${before}.`);
  }
  return folded;
}

/** For a suite: a host of its own, and how messages are asked of it. */
export function messagesScene() {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const script = (turns: readonly ScriptTurn[]): void => stage.provider.play(turns.map(chatReply));
  const ask = (body: object) =>
    stage.host.json<MessageAnswer>("POST", "/v1/messages", {
      model: "default",
      max_tokens: 100,
      messages: [user("Hi")],
      ...body,
    });
  const sentMessages = (): readonly WireMessage[] =>
    sentBody(stage).messages.filter(({ role }) => role !== "system");

  async function stream(body: object): Promise<readonly MessageEvent[]> {
    const events: MessageEvent[] = [];
    const given = { model: "default", max_tokens: 100, messages: [user("Hi")], stream: true, ...body };
    const answer = await stage.host.request("POST", "/v1/messages", given);
    for await (const line of streamLines(answer)) events.push(JSON.parse(line) as MessageEvent);
    return events;
  }
  return {
    get stage(): Stage {
      return stage;
    },
    script,
    ask,
    sentMessages,
    stream,
  };
}
