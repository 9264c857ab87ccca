import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { printDim, printError } from "./print-result.ts";
import type { QuestionOptions } from "./questions.ts";
import { readLines } from "./read-lines.ts";
import type { CommonOptions, Service } from "./service.ts";
import { streamTurn, turnBody, type Turn, type TurnOptions } from "./stream-turn.ts";
import { printUndoHint } from "./undo.ts";
import { styled } from "./visible.ts";

interface ChatOptions extends CommonOptions, TurnOptions, QuestionOptions {
  readonly conversation?: string | undefined;
}

/**
 * Chats at the terminal, or answers each line of a pipe. Ctrl-C stops the answer; twice, or while nothing
 * runs, it quits.
 */
export async function chat(service: Service, options: ChatOptions): Promise<number> {
  if (process.stdin.isTTY) return chatAtTerminal(service, options);
  return answerPipe(service, options);
}

async function chatAtTerminal(service: Service, options: ChatOptions): Promise<number> {
  const { model = "default" } = options;
  printDim(`${service.url}, model ${model}. Ctrl-C stops an answer; press it twice to quit.`);
  let { conversation } = options;
  let isInterrupted = false;
  for await (const line of readLines(styled("bold", "> "), () => (isInterrupted = true))) {
    if (line.trim() === "") continue;
    const turn = await takeTurn(service, line, { ...options, conversation });
    conversation = turn.conversationId ?? conversation;
    if (turn.stopped) printDim("Stopped.");
    await printUndoHint(service, turn.runId);
    isInterrupted = false;
  }
  return isInterrupted ? exitCodes.interrupted : exitCodes.ok;
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

/** Shows a refusal as the answer, so that the conversation can go on. */
async function takeTurn(service: Service, content: string, options: ChatOptions): Promise<Turn> {
  const body = { ...turnBody(content, options), conversationId: options.conversation };
  try {
    return await streamTurn(service, "/api/chat/completions", body, options);
  } catch (error) {
    const { message } = error as Error;
    printError(message);
    return { error: message, stopped: false };
  }
}
