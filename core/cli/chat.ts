import { defined } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { ChatSession } from "./chat-commands/chat-command.ts";
import { calledWords, commandWords, doCommand, isCommand } from "./chat-commands/index.ts";
import { findConversations, printEndOf } from "./conversation-turns.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { KeptKeys } from "./kept-keys.ts";
import { openHistory } from "./line-history.ts";
import { usualModel } from "./models.ts";
import { printDim, printError } from "./print-result.ts";
import type { QuestionOptions } from "./questions.ts";
import { readLines } from "./read-lines.ts";
import type { CommonOptions, Service } from "./service.ts";
import { printStatusLine } from "./status-line.ts";
import { streamTurn, turnBody, type ShowOptions, type Turn, type TurnOptions } from "./stream-turn.ts";
import { printUndoHint } from "./undo.ts";
import { isUnreachable } from "./unreachable.ts";
import { styled } from "./visible.ts";

interface ChatOptions extends CommonOptions, TurnOptions, QuestionOptions {
  readonly conversation?: string | undefined;
  readonly continue?: boolean;
  /** False: what is entered is not kept for the next chat, and what was kept is not brought back. */
  readonly history?: boolean;
}

/**
 * Chats at the terminal, or answers each line of a pipe. Ctrl-C stops the answer, or clears what is being
 * written; twice, or on an empty line, it quits.
 */
export async function chat(service: Service, options: ChatOptions): Promise<number> {
  const conversation = options.continue ? await newest(service, options) : options.conversation;
  const chosen = { ...options, ...defined({ conversation }) };
  if (process.stdin.isTTY) return chatAtTerminal(service, chosen);
  return answerPipe(service, chosen);
}

/** The conversation that was last spoken in. Throws AppError where there is none. */
async function newest(service: Service, { conversation }: ChatOptions): Promise<string> {
  if (conversation !== undefined)
    throw fault(
      "invalid_value",
      "--continue takes the last conversation and --conversation another: give one.",
    );
  const [first] = (await findConversations(service, 1)).conversations;
  if (first !== undefined) return first.id;
  throw fault("invalid_value", "There is no conversation to go on with. Begin one: pergola chat");
}

async function chatAtTerminal(service: Service, options: ChatOptions): Promise<number> {
  const { conversation, model = await usualModel(service) } = options;
  const session: ChatSession = { service, options, conversation, model };
  printDim(`Pergola at ${service.url}, model ${model}`);
  printDim("/help lists the commands. Ctrl-C stops an answer; on an empty line, it quits.");
  if (options.continue) await printEndOf(service, conversation!);
  let isInterrupted = false;
  const words = [...commandWords, ...(await calledWords(session))];
  const history = await openHistory(options);
  const lines = readLines(styled("bold", "> "), () => (isInterrupted = true), words, history);
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const next = isCommand(line) ? await obey(session, line) : { send: line };
    if (next === "quit") break;
    if (next === undefined) continue;
    await converse(session, next.send);
    isInterrupted = false;
  }
  if (session.conversation !== undefined)
    printDim(`To go on: pergola chat --conversation ${session.conversation}`);
  return isInterrupted ? exitCodes.interrupted : exitCodes.ok;
}

/** Does what a command says; what it refuses is shown, and the chat goes on. */
async function obey(session: ChatSession, line: string): ReturnType<typeof doCommand> {
  try {
    return await doCommand(session, line);
  } catch (error) {
    printError((error as Error).message);
    return undefined;
  }
}

async function converse(session: ChatSession, line: string): Promise<void> {
  const { service, options, model, conversation } = session;
  const keys = new KeptKeys();
  keys.begin();
  try {
    const turn = await takeTurn(service, line, { ...options, model, conversation, keys });
    session.conversation = turn.conversationId ?? conversation;
    if (turn.stopped) printDim("Stopped.");
    await printStatusLine(service, turn);
    await printUndoHint(service, turn.runId, "/undo");
  } finally {
    keys.end();
  }
}

async function answerPipe(service: Service, options: ChatOptions): Promise<number> {
  let { conversation } = options;
  let isOk = true;
  for await (const line of readLines("", () => undefined)) {
    if (line.trim() === "") continue;
    const turn = await takeTurn(service, line, { ...options, conversation });
    conversation = turn.conversationId ?? conversation;
    isOk &&= turn.error === undefined;
    if (!turn.stopped) continue;
    printDim("Stopped.");
    return exitCodes.interrupted;
  }
  return exitCodeOf(isOk);
}

/**
 * Shows a refusal as the answer, so that the conversation can go on. A pipe ends where the service cannot be
 * reached.
 */
async function takeTurn(
  service: Service,
  content: string,
  options: ChatOptions & Pick<ShowOptions, "keys">,
): Promise<Turn> {
  const body = { ...turnBody(content, options), conversationId: options.conversation };
  try {
    return await streamTurn(service, "/api/chat/completions", body, options);
  } catch (error) {
    if (isUnreachable(error) && !process.stdin.isTTY) throw error;
    const { message } = error as Error;
    printError(message);
    return { error: message, stopped: false };
  }
}
