import type { ToolContext } from "@pergola/sdk";
import type { Launch, LiveProcess } from "../process/live-process.ts";
import { sandboxOf, type Place } from "./place.ts";

type Launcher = (launch: Launch) => Promise<LiveProcess>;

/**
 * Starts a program that lives on between calls, in its sandbox. What it made under protected names is moved
 * away when it has ended, and its output says so.
 */
export async function startSandboxed(
  context: Pick<ToolContext, "prepare">,
  launch: Launch,
  place: Place,
  start: Launcher,
): Promise<LiveProcess> {
  const { program, args, folder: cwd } = launch;
  const line = await context.prepare(program, args, { cwd, ...sandboxOf(place) });
  const started = await start({ ...launch, ...line }).catch(async (error: unknown) => {
    await line.release();
    throw error;
  });
  const ended = started.ended.then(async (code) => {
    const appeared = await line.release();
    if (appeared.length > 0)
      launch.onOutput(`\n[Moved away, since other programs would trust it: ${appeared.join(", ")}]\n`);
    return code;
  });
  return { ...started, ended };
}
