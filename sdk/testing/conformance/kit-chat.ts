import { isObject, type JsonObject } from "@pergola/sdk";
import { chatReply } from "../chat-reply.ts";
import type { MockReply } from "../mock-reply.ts";
import type { MockRequest } from "../mock-provider-server.ts";
import type { ScriptTurn } from "../script.ts";
import type { KitHost } from "./kit-host.ts";

/** What the model of a kit does when a person says `kit:` and one of these words. */
const turns = {
  answer: { text: "Done." },
  hang: [{ hang: true }],
  fail: { error: { status: 500, message: "The model of the kit fails." } },
  cut: [{ text: "Half" }, { error: { status: 500, message: "The model of the kit breaks off." } }],
  flood: { text: "x".repeat(2 ** 20) },
} as const satisfies Record<string, ScriptTurn>;

export type KitWord = keyof typeof turns;

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** A call that the model of the kit makes. */
interface KitCall {
  readonly name: string;
  /** With `operation`. */
  readonly arguments: JsonObject;
}

const messagesOf = ({ body }: MockRequest): readonly WireMessage[] =>
  isObject(body) ? (body["messages"] as readonly WireMessage[]) : [];

const saidIn = ({ content }: WireMessage): string =>
  typeof content === "string" ? content : JSON.stringify(content ?? "");

/** The model of a kit: it does what the last words of the person tell it, and then ends its answer. */
export function playKit(request: MockRequest): MockReply {
  const messages = messagesOf(request);
  const said = messages.findLast(({ role }) => role === "user");
  const text = said === undefined ? "" : saidIn(said);
  const [, word = "answer"] = /kit:(\w+)/.exec(text) ?? [];
  if (word !== "call") return chatReply(turns[word as KitWord] ?? turns.answer);
  if (messages.at(-1)?.role === "tool") return chatReply(turns.answer);
  const [, coded = ""] = /kit:call ([\w-]+)/.exec(text) ?? [];
  const call = JSON.parse(Buffer.from(coded, "base64url").toString()) as KitCall;
  return chatReply({ toolCalls: [call] });
}

type Chatting = Pick<KitHost, "host">;

export interface ChatOptions {
  readonly stream?: boolean;
  /** The client goes away when it is aborted. */
  readonly signal?: AbortSignal;
}

/** One chat with the model of the kit, as a client has it. Rejects when the client goes away. */
export async function chat({ host }: Chatting, said: string, { stream = false, signal }: ChatOptions = {}) {
  const answer = await fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "default", stream, messages: [{ role: "user", content: said }] }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** A tool that a model calls: what the model is sent of the answer. Rejects when it is sent nothing. */
export async function modelCalls(
  { host, model }: Pick<KitHost, "host" | "model">,
  call: KitCall,
): Promise<{ readonly sent: string }> {
  const first = model.requests.length;
  const coded = Buffer.from(JSON.stringify(call)).toString("base64url");
  const { status, text } = await chat({ host }, `kit:call ${coded}`);
  const answers = model.requests.slice(first).flatMap((request) => messagesOf(request));
  const answer = answers.findLast(({ role }) => role === "tool");
  if (answer !== undefined) return { sent: saidIn(answer) };
  throw new Error(
    `The model was sent no answer of ${call.name}; the chat ended with ${status}: ${text.slice(0, 300)}`,
  );
}
