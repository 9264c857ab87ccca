import type { Command } from "commander";
import { makeProgram } from "../../core/cli/program.ts";

const program = makeProgram("0");

/** What every command takes, whether it lists it or not. */
const common = new Set(["-", "-h", "--help", "-V", "--version"]);

/** The command that words name, and the words that follow it. */
function commandOf(words: readonly string[]): readonly [Command, readonly string[]] {
  let command = program;
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return [command, words.slice(at)];
    command = next;
  }
  return [command, []];
}

const isOption = ({ options }: Command, word: string): boolean =>
  options.some(({ long, short }) => long === word || short === word);

/** What is wrong with a command line of Pergola's; nothing with other text. Words in quotes count as one. */
export function commandFaults(line: string): readonly string[] {
  const [, text] = /^\s*\(?(?:umask \d+; |echo [^|]*\| )?(?:npx )?pergola ([^#|>;&]*)/.exec(line) ?? [];
  if (text === undefined) return [];
  const words = text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const [command, rest] = commandOf(words);
  const [first = ""] = rest;
  const isUnknown = command.commands.length > 0 && /^[a-z]/.test(first);
  if (isUnknown) return [`pergola ${text.trim()}: there is no command ${first}`];
  const given = rest.filter((word) => word.startsWith("-")).map((word) => word.replace(/=.*/, ""));
  const wrong = given.filter((word) => !common.has(word) && !isOption(command, word));
  return wrong.map((word) => `pergola ${text.trim()}: there is no option ${word}`);
}
