import { createRequire } from "node:module";
import { MessageChannel } from "node:worker_threads";
import type { ToolContext } from "@pergola/sdk";
import { checkerThread } from "./checker-thread.ts";
import { answerFileRequests } from "./file-answers.ts";
import type { CheckAnswer, CheckerData } from "./messages.ts";

const require = createRequire(import.meta.url);

/**
 * Where the TypeScript compiler is, if it is installed beside this plugin. Version 7 has no interface for
 * programs.
 */
export function compilerPath(): string | undefined {
  try {
    const { version } = require("typescript/package.json") as { readonly version: string };
    if (Number.parseInt(version) < 7) return require.resolve("typescript");
  } catch {
    // It is not installed.
  }
  return undefined;
}

/**
 * Checks TypeScript and JavaScript files in a thread of their own. Rejects with ToolError `generic_error`
 * when the compiler fails, and with the signal's reason once it is aborted.
 */
export async function typeCheck(
  context: ToolContext,
  compiler: string,
  files: readonly string[],
): Promise<CheckAnswer> {
  const { port1, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const { real } = await context.files.resolve(".");
  const workerData: CheckerData = { compiler, root: real, port: port2, flag };
  const thread = checkerThread({ workerData, transferList: [port2] });
  answerFileRequests(port1, flag, context);
  try {
    return await thread.run("check", files, { signal: context.signal });
  } finally {
    port1.close();
    await thread.end();
  }
}
