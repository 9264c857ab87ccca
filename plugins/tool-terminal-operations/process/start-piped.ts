import { spawn } from "node:child_process";
import { once } from "node:events";
import { environment, exitCodeOf, notStarted, type Launch, type LiveProcess } from "./live-process.ts";
import { markedWith, signalTo } from "./mark.ts";
import { paced } from "./paced.ts";

/**
 * Milliseconds between a program's end and the end of its output, which one that left the group may hold
 * open.
 */
const outputGrace = 500;

/**
 * Starts a program on pipes, in a process group of its own. It outlives the call. Throws ToolError
 * `unavailable`.
 */
export async function startPiped({
  program,
  args,
  folder,
  mark,
  env,
  onOutput,
}: Launch): Promise<LiveProcess> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment({ ...env, ...markedWith(mark) }),
    detached: true,
  });
  const streams = [child.stdout, child.stderr];
  const take = paced(onOutput, {
    pause: () => streams.forEach((stream) => stream.pause()),
    resume: () => streams.forEach((stream) => stream.resume()),
  });
  for (const stream of streams) stream.setEncoding("utf8").on("data", take);
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number>((resolve) => {
    child.once("close", (code, signal) => resolve(exitCodeOf(code, signal)));
    child.once("exit", () => {
      if (child.pid !== undefined) signalTo(-child.pid, "SIGKILL");
      const timer = setTimeout(() => streams.forEach((stream) => stream.destroy()), outputGrace);
      child.once("close", () => clearTimeout(timer));
    });
  });
  await once(child, "spawn").catch((cause: unknown) => {
    throw notStarted(program, cause);
  });
  return {
    pid: child.pid as number,
    hasTerminal: false,
    ended,
    write: (text) => void child.stdin.write(text),
  };
}
