import { spawn } from "node:child_process";
import path from "node:path";
import { needPython } from "./need-python.ts";
import { commandOf, watchProgram, type Project } from "./pergola.ts";

const player = path.join(import.meta.dirname, "terminal.py");

/** For `before`: Python plays the terminal. */
export const needTerminal = (context: Mocha.Context): void => needPython(context, "the tests at a terminal");

/**
 * Plays a person at a terminal: each step waits for a text and then sends keys, in a window of so many
 * columns. Gives back what the screen showed, without colours.
 */
export async function playAtTerminal(
  project: Project,
  words: readonly string[],
  steps: readonly (readonly [wait: string, keys: string, columns?: number])[],
) {
  const command = [...commandOf("build"), ...words, "--settings", project.settings(), "--data", project.data];
  const env = { ...project.environment, TERM: "xterm" };
  const program = watchProgram(
    spawn("python3", [player, JSON.stringify(steps), ...command], { cwd: project.folder, env }),
  );
  const code = await program.ended;
  // eslint-disable-next-line no-control-regex
  return { code, screen: program.stdout.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "").replaceAll("\r", "") };
}
