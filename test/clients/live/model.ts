import { chatReply, type MockProviderServer, type MockReply, type MockRequest } from "@pergola/sdk/testing";
import type { ScriptedCall, ScriptStep } from "@pergola/sdk/testing";

/** A tool of the client's with which the model reads a stone: one of these names, whichever is offered. */
export interface StoneTool {
  readonly names: readonly string[];
  arguments(stone: number, name: string): ScriptedCall["arguments"];
}

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

export interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** The text of a message, whatever its parts. */
export const textOf = ({ content }: Message): string =>
  typeof content === "string" ? content : JSON.stringify(content ?? "");

export const bodyOf = (request: MockRequest): Body => request.body as Body;

const toolName = (tool: StoneTool, { tools = [] }: Body): string | undefined =>
  tool.names.find((name) => tools.some(({ function: { name: offered } }) => offered === name));

/** The words that stand in the tool results of a request, in their order. */
const wordsIn = ({ messages }: Body): readonly string[] =>
  messages
    .filter(({ role }) => role === "tool")
    .map((message) => /stone-\d-[0-9a-f]{8}/.exec(textOf(message))?.[0] ?? "unreadable");

const conclusion = (body: Body): string => `The stones say ${wordsIn(body).join(", ")}.`;

/** Requests beside the conversation, a title for example, ask for text and offer other tools or none. */
const aside = chatReply({ text: "Stones" });

type Play = (body: Body) => MockReply;

/** Lets a waiting model go on. */
export type Gate = () => void;

function gate(): { readonly open: Gate; readonly opened: Promise<void> } {
  let open: Gate = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

/** Reads as many stones in each turn as stand there, then says what they say. */
function readStones(tool: StoneTool, turns: readonly (readonly number[])[]): Play {
  return (body) => {
    const name = toolName(tool, body);
    if (name === undefined) return aside;
    const done = body.messages.filter(({ tool_calls: calls = [] }) => calls.length > 0).length;
    const turn = turns[done];
    if (turn === undefined) return chatReply({ text: conclusion(body) });
    const calls = turn.map((stone) => ({
      id: `call_stone_${stone}`,
      name,
      arguments: tool.arguments(stone, name),
    }));
    const text: readonly ScriptStep[] = done === 0 ? [{ text: "I look at the stones." }] : [];
    return chatReply([...text, { toolCalls: calls }]);
  };
}

/** The model of a live run: a provider whose answers depend on what it is asked. */
export class StoneModel {
  readonly #server: MockProviderServer;
  #first = 0;

  constructor(server: MockProviderServer) {
    this.#server = server;
  }

  /** The address of its interface, chat completions. */
  get url(): string {
    return this.#server.baseUrl;
  }

  /** What was asked since the script began. */
  get requests(): readonly MockRequest[] {
    return this.#server.requests.slice(this.#first);
  }

  /** The request with the longest history: the last of the conversation, asides left out. */
  get last(): Body {
    const bodies = this.requests.map(bodyOf);
    const longest = Math.max(...bodies.map(({ messages }) => messages.length));
    return bodies.findLast(({ messages }) => messages.length === longest) ?? { messages: [] };
  }

  answer(text: string): void {
    this.#play(() => chatReply({ text }));
  }

  refuse(message: string): void {
    this.#play(() => chatReply({ error: { status: 400, message } }));
  }

  /** Sends the first text, and the rest when the gate is opened. */
  stream(first: string, rest: string): Gate {
    const { open, opened } = gate();
    this.#play(() => chatReply([{ text: first }, { until: opened }, { text: rest }]));
    return open;
  }

  /** Sends a text and nothing more. */
  hang(text: string): void {
    this.#play(() => chatReply([{ text }, { hang: true }]));
  }

  /** The same for the arguments of a call, which are cut within the file's name; then concludes. */
  streamArguments(tool: StoneTool): Gate {
    const { open, opened } = gate();
    this.#play((body) => {
      const name = toolName(tool, body);
      if (name === undefined) return aside;
      if (wordsIn(body).length > 0) return chatReply({ text: conclusion(body) });
      const whole = JSON.stringify(tool.arguments(1, name));
      const [index, half] = [0, whole.indexOf("stone-1.txt")];
      return chatReply([
        { type: "tool_call", index, id: "call_stone_1", name, arguments: whole.slice(0, half) },
        { until: opened },
        { type: "tool_call", index, arguments: whole.slice(half) },
      ]);
    });
    return open;
  }

  read(tool: StoneTool, turns: readonly (readonly number[])[]): void {
    this.#play(readStones(tool, turns));
  }

  #play(play: Play): void {
    this.#first = this.#server.requests.length;
    this.#server.play((request) => play(bodyOf(request)));
  }
}
