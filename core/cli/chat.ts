import path from "node:path";
import { exitCodes } from "./exit-codes.ts";
import { readLines } from "./read-lines.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { streamTurn, type Turn } from "./stream-turn.ts";
import { undoHint } from "./undo.ts";
import { styled } from "./visible.ts";

export interface ChatOptions extends CommonOptions {
  readonly model?: string;
  readonly conversation?: string;
  readonly directory?: string;
}

/**
 * A conversation at the terminal, or about the lines of a pipe. Ctrl-C stops the answer; twice, or while
 * nothing runs, it leaves.
 */
export async function chat(options: ChatOptions): Promise<number> {
  return withService(options, async (service) => {
    const interactive = process.stdin.isTTY;
    const about = `${service.url}, model ${options.model ?? "default"}. Ctrl-C stops an answer, twice leaves.\n`;
    if (interactive) process.stderr.write(styled("dim", about));
    let { conversation } = options;
    let [left, failed] = [false, false];
    for await (const said of readLines(styled("bold", "> "), () => (left = true))) {
      if (said.trim() === "") continue;
      const turn = await takeTurn(service, said, { ...options, conversation });
      conversation = turn.conversationId ?? conversation;
      failed ||= turn.error !== undefined;
      if (turn.stopped) process.stderr.write(styled("dim", "Stopped.\n"));
      const hint = interactive ? await undoHint(service, turn.runId) : undefined;
      if (hint !== undefined) process.stderr.write(styled("dim", `${hint}\n`));
      left = turn.stopped && !interactive;
      if (left) break;
    }
    if (left) return exitCodes.interrupted;
    return failed && !interactive ? exitCodes.failed : exitCodes.ok;
  });
}

/** A refusal is shown, and the conversation goes on. */
async function takeTurn(
  service: Service,
  content: string,
  options: ChatOptions & { readonly conversation: string | undefined },
): Promise<Turn> {
  const { model = "default", conversation, directory = "." } = options;
  const body = {
    model,
    messages: [{ role: "user", content }],
    service_config: { working_directory: path.resolve(directory), on_client_close: "cancel" },
    ...(conversation === undefined ? {} : { conversationId: conversation }),
  };
  try {
    return await streamTurn(service, "/api/chat/completions", body, options);
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`${styled("red", message)}\n`);
    return {
      conversationId: undefined,
      runId: undefined,
      metadata: undefined,
      error: message,
      stopped: false,
    };
  }
}
