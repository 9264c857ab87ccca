import { addBlock, lastUserIndex } from "@pergola/sdk";
import type { Chat, ChatMessage, Collection, ModelCall, RunContext } from "@pergola/sdk";
import type { ServerPrompts } from "./server-prompts.ts";

interface Block {
  readonly runId: string;
  readonly command: string;
  /** The text of the message that it stands behind. */
  readonly message: string;
  readonly text: string;
}

/** The prompts that a person has called in a conversation. `id`: the conversation's. */
export interface CalledRecord {
  readonly id: string;
  /** The newest last. */
  readonly blocks: readonly Block[];
}

/** Of a conversation: those that were called before are left out. */
const mostBlocks = 50;

const call = /^\s*\/([a-z][a-z0-9_]{0,31}:[\w.-]{1,100})(?:\s+([^]*))?$/;

const textOf = ({ content }: ChatMessage): string =>
  typeof content === "string"
    ? content
    : (content ?? []).flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");

/** The command with which the newest message of the person begins, and the words behind it. */
export function calledIn({ messages }: Pick<RunContext["request"], "messages">) {
  const newest = messages[lastUserIndex(messages)];
  const message = newest === undefined ? "" : textOf(newest);
  const [, command, words = ""] = call.exec(message) ?? [];
  return command === undefined ? undefined : { command, words, message };
}

/** Whether a message is the one with this text; other plugins may have put blocks of theirs behind it. */
const isWith = (text: string, message: string): boolean =>
  text === message || text.startsWith(`${message}\n`);

/** An agent with tools of its own has commands of its own. */
const isCallersOwn = ({ tools }: Chat): boolean =>
  tools.length > 0 && tools.every(({ callers }) => callers === true);

/** What a person has called stands behind the message that calls it, to the end of its conversation. */
export class CalledPrompts {
  readonly #prompts: () => ServerPrompts | undefined;
  readonly #open: (conversationId?: string) => Collection<CalledRecord>;
  /** Of runs at work. */
  readonly #blocks = new Map<string, readonly Block[]>();
  /** Those whose newest block is not stored yet. */
  readonly #fresh = new Set<string>();

  /** `open` gives the records; where a conversation is named, as this host may change them for its run. */
  constructor(prompts: () => ServerPrompts | undefined, open: (id?: string) => Collection<CalledRecord>) {
    this.#prompts = prompts;
    this.#open = open;
  }

  /** Asks the server for what the run's message calls. Rejects with AppError, which ends the run. */
  async begin(chat: Chat, context: RunContext): Promise<void> {
    const { runId, request, conversation, isNew, signal } = context;
    const prompts = this.#prompts();
    if (prompts?.isNeeded !== true || isCallersOwn(chat)) return;
    const before = isNew === true ? undefined : await this.#open(conversation.id).get(conversation.id);
    const blocks = before?.blocks ?? [];
    // A run that goes on has its answer already. What an agent is told is the word of a model.
    const isAnswered = blocks.some((block) => block.runId === runId);
    const isPersons = request.kind !== "subagent" && !isAnswered;
    const called = isPersons ? calledIn(request) : undefined;
    if (called === undefined || !prompts.isFor(called.command)) return this.#use(runId, blocks);
    const { command, words, message } = called;
    const text = await prompts.expand({ command, words, runId, caller: request.caller, signal });
    this.#fresh.add(runId);
    this.#use(runId, [...blocks, { runId, command, message, text }].slice(-mostBlocks));
  }

  /** The call with what was called in it. */
  async shape(modelCall: ModelCall, { runId, conversation }: RunContext): Promise<ModelCall> {
    const blocks = this.#blocks.get(runId);
    if (blocks === undefined || modelCall.raw !== undefined) return modelCall;
    const last = blocks.at(-1);
    if (last === undefined || !this.#fresh.delete(runId)) return withBlocks(modelCall, blocks);
    // The conversation may keep it otherwise than the request has it: without a secret.
    const newest = modelCall.messages[lastUserIndex(modelCall.messages)];
    const text = newest === undefined ? "" : textOf(newest);
    const message = isWith(text, last.message) ? last.message : text;
    const placed = [...blocks.slice(0, -1), { ...last, message }];
    this.#use(runId, placed);
    await this.#open(conversation.id).put({ id: conversation.id, blocks: placed });
    return withBlocks(modelCall, placed);
  }

  end(runId: string): void {
    this.#blocks.delete(runId);
    this.#fresh.delete(runId);
    this.#prompts()?.forget(runId);
  }

  async forget(conversationId: string): Promise<void> {
    await this.#open().delete(conversationId);
  }

  /** Those of earlier runs are words of others in this one, too. */
  #use(runId: string, blocks: readonly Block[]): void {
    if (blocks.length > 0) this.#blocks.set(runId, blocks);
    for (const { command } of blocks.toReversed()) this.#prompts()?.note(runId, command);
  }
}

/** Each block at the newest message that it belongs to; those of messages that are gone are left out. */
export function withBlocks(modelCall: ModelCall, blocks: readonly Block[]): ModelCall {
  let [shaped, left] = [modelCall, blocks];
  for (let index = modelCall.messages.length - 1; index >= 0 && left.length > 0; index -= 1) {
    const message = modelCall.messages[index];
    if (message?.role !== "user") continue;
    const text = textOf(message);
    const at = left.findLastIndex((block) => isWith(text, block.message));
    if (at < 0) continue;
    shaped = addBlock(shaped, left[at]?.text ?? "", index);
    left = left.slice(0, at);
  }
  return shaped;
}
