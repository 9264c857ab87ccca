import { createInterface } from "node:readline/promises";
import { exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";
import { showStream } from "./show-stream.ts";
import { styled } from "./visible.ts";

interface ChatOptions extends CommonOptions {
  readonly model?: string;
  readonly conversation?: string;
  readonly directory?: string;
}

/** A conversation at the terminal. Ctrl-C stops the answer; a second one, or one while nothing runs, leaves. */
export async function chat(options: ChatOptions): Promise<number> {
  return withService(options, async (service) => {
    const reader = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY });
    let running: AbortController | undefined;
    let conversation = options.conversation;
    const interrupt = (): void => (running === undefined || running.signal.aborted ? reader.close() : running.abort());
    reader.on("SIGINT", interrupt);
    process.on("SIGINT", interrupt);
    if (process.stdin.isTTY)
      process.stdout.write(styled("dim", `${service.url}, model ${options.model ?? "default"}. Ctrl-C stops an answer, twice leaves.\n`));
    reader.setPrompt(styled("bold", process.stdin.isTTY ? "> " : ""));
    reader.prompt();
    try {
      for await (const said of reader) {
        if (said.trim() !== "") {
          running = new AbortController();
          conversation = await turn(service, said, { ...options, conversation }, running.signal);
          running = undefined;
        }
        reader.prompt();
      }
    } finally {
      process.off("SIGINT", interrupt);
      reader.close();
    }
    return exitCodes.ok;
  });
}

async function turn(service: Service, content: string, options: ChatOptions, signal: AbortSignal): Promise<string | undefined> {
  const { model = "default", conversation, directory = process.cwd(), json = false } = options;
  const body = {
    model,
    messages: [{ role: "user", content }],
    stream: true,
    service_config: { working_directory: directory },
    ...(conversation === undefined ? {} : { conversationId: conversation }),
  };
  try {
    const answer = await service.call("POST", "/api/chat/completions", body, signal);
    if (!answer.ok) await jsonOf(answer);
    const shown = await showStream(service, answer, { json });
    if (shown.error !== undefined) process.stderr.write(`${styled("red", shown.error)}\n`);
    return shown.conversationId ?? conversation;
  } catch (error) {
    process.stderr.write(signal.aborted ? "\nStopped.\n" : `${styled("red", (error as Error).message)}\n`);
    return conversation;
  }
}
