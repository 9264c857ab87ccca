import path from "node:path";
import { defined } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { readLines } from "./read-lines.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { streamTurn, type Turn } from "./stream-turn.ts";
import { undoHint } from "./undo.ts";
import { styled } from "./visible.ts";

export interface ChatOptions extends CommonOptions {
  readonly model?: string;
  readonly conversation?: string | undefined;
  readonly directory?: string;
}

const printDim = (text: string): unknown => process.stderr.write(styled("dim", `${text}\n`));

/**
 * Chats at the terminal, or answers each line of a pipe. Ctrl-C stops the answer; twice, or while nothing
 * runs, it quits.
 */
export async function chat(options: ChatOptions): Promise<number> {
  return withService(options, (service) =>
    process.stdin.isTTY ? chatAtTerminal(service, options) : answerPipe(service, options),
  );
}

async function chatAtTerminal(service: Service, options: ChatOptions): Promise<number> {
  printDim(
    `${service.url}, model ${options.model ?? "default"}. Ctrl-C stops an answer; press it twice to quit.`,
  );
  let { conversation } = options;
  let isInterrupted = false;
  for await (const line of readLines(styled("bold", "> "), () => (isInterrupted = true))) {
    if (line.trim() === "") continue;
    const turn = await takeTurn(service, line, { ...options, conversation });
    conversation = turn.conversationId ?? conversation;
    if (turn.stopped) printDim("Stopped.");
    const hint = await undoHint(service, turn.runId);
    if (hint !== undefined) printDim(hint);
    isInterrupted = false;
  }
  return isInterrupted ? exitCodes.interrupted : exitCodes.ok;
}

async function answerPipe(service: Service, options: ChatOptions): Promise<number> {
  let { conversation } = options;
  let hasFailed = false;
  for await (const line of readLines("", () => undefined)) {
    if (line.trim() === "") continue;
    const turn = await takeTurn(service, line, { ...options, conversation });
    conversation = turn.conversationId ?? conversation;
    hasFailed ||= turn.error !== undefined;
    if (!turn.stopped) continue;
    printDim("Stopped.");
    return exitCodes.interrupted;
  }
  return hasFailed ? exitCodes.failed : exitCodes.ok;
}

/** Shows a refusal as the answer, so that the conversation can go on. */
async function takeTurn(service: Service, content: string, options: ChatOptions): Promise<Turn> {
  const { model = "default", conversation, directory = "." } = options;
  const body = defined({
    model,
    messages: [{ role: "user", content }],
    service_config: { working_directory: path.resolve(directory), on_client_close: "cancel" },
    conversationId: conversation,
  });
  try {
    return await streamTurn(service, "/api/chat/completions", body, options);
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`${styled("red", message)}\n`);
    return { error: message, stopped: false };
  }
}
