import { InvalidArgumentError, type Command } from "commander";
import { exitCodes } from "./exit-codes.ts";
import type { CommonOptions } from "./service.ts";

/** What a command does. Its exit code is 0 when it gives none. */
type Run = (...args: never[]) => Promise<number> | Promise<void>;
type Load<N extends string> = () => Promise<Readonly<Record<N, Run>>>;
type Action = (...args: readonly unknown[]) => Promise<void>;

/** The options of all commands, and of those that use a service. */
const usesSettings = (command: Command): Command =>
  command
    .option("--settings <file>", "use this settings file")
    .option("--data <directory>", "keep everything in this directory")
    .option("--port <number>", "port of the service (8080)", port)
    .option("--json", "machine-readable output");

/** Defines a command that works on the settings alone. */
export const localCommand = (parent: Command, usage: string, description: string): Command =>
  usesSettings(parent.command(usage)).description(description);

/** Defines a command that talks to a service. */
export const clientCommand = (parent: Command, usage: string, description: string): Command =>
  localCommand(parent, usage, description)
    .option("--url <address>", "talk to the service at this address")
    .option("--token-file <file>", "the token for it (default: the variable PERGOLA_AUTH_TOKEN)")
    .option("--plain-http", "let --url name another computer without https");

/** The action that loads a module and calls `name` of it with the arguments and options of the command. */
export const action = <N extends string>(load: Load<N>, name: N): Action => {
  return async (...args) => {
    const commands = await load();
    const values = args.slice(0, -1) as never[];
    process.exitCode = (await commands[name](...values)) ?? exitCodes.ok;
  };
};

/** The same for a command that gets a service before its arguments; `more` is added to its options. */
export const onService = <N extends string>(
  load: Load<N>,
  name: N,
  more: Pick<CommonOptions, "secretsMayMiss"> = {},
): Action => {
  return async (...args) => {
    const [commands, { withService }] = await Promise.all([load(), import("./service.ts")]);
    const values = args.slice(0, -1) as never[];
    await withService({ ...(values.at(-1)! as CommonOptions), ...more }, async (service) => {
      process.exitCode = (await commands[name](service as never, ...values)) ?? exitCodes.ok;
    });
  };
};

/** Reads a whole number above 0. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

/** Reads an amount of money above 0. */
export function amount(text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError("It must be an amount above 0, such as 0.50.");
  return Number(text);
}

/** Reads a list with commas; an option that is given again adds to it. */
export const names = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(",").filter(Boolean),
];

const port = (text: string): string => String(wholeNumber(text));
