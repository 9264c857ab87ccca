import { homedir } from "node:os";
import { fault } from "../fault.ts";
import { isConfirmed } from "./ask-person.ts";
import { connectTarget, type Target, type TargetOptions } from "./connect-target.ts";
import { exitCodes } from "./exit-codes.ts";
import { importCommand } from "./plugin-command.ts";
import { printLines, printNote, printResult } from "./print-result.ts";
import { visible } from "./visible.ts";

interface ConnectOptions extends TargetOptions {
  readonly write?: boolean;
  readonly yes?: boolean;
}

interface Computer {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

interface Connection {
  readonly name: string;
  readonly title: string;
  readonly file: string | null;
  readonly text: string;
  readonly settings: { readonly format: string };
  readonly scopes: readonly string[];
  readonly startsPergola: boolean;
  readonly notes: readonly string[];
}

interface Change {
  readonly file: string;
  readonly target: string;
  readonly lines: readonly string[];
}

type Plan = { readonly change: Change | undefined; readonly isDone?: boolean; readonly reason?: string };

/** What the plugin that knows the clients exports. */
interface Bridge {
  listClients(
    computer: Computer,
  ): readonly { readonly name: string; readonly title: string; readonly found: string | null }[];
  connectionOf(name: string, service: Target, computer: Computer): Connection | undefined;
  planChange(connection: Connection): Plan;
  writeChange(change: Change): string | null;
  /** A word as a shell reads it. */
  readonly quoted: (word: string) => string;
}

const thisComputer = (): Computer => ({
  platform: process.platform,
  home: homedir(),
  environment: process.env,
});

/** Lists the clients, or shows or writes the settings of one. */
export async function connect(client: string | undefined, options: ConnectOptions): Promise<number> {
  const bridge = await importCommand<Bridge>("connect", options);
  const computer = thisComputer();
  if (client === undefined) return list(bridge, computer, options);
  const all = bridge.listClients(computer);
  if (!all.some(({ name }) => name === client)) {
    const names = all.map(({ name }) => name).join(", ");
    throw fault("not_found", `"${client}" is no client that Pergola knows. It knows ${names}.`);
  }
  const target = await connectTarget(options);
  const connection = bridge.connectionOf(client, target, computer)!;
  if (options.write === true) return write(bridge, connection, target, options);
  show(bridge, connection, target, options);
  return exitCodes.ok;
}

function list(bridge: Bridge, computer: Computer, options: ConnectOptions): number {
  const clients = bridge.listClients(computer);
  const width = Math.max(...clients.map(({ name }) => name.length)) + 2;
  const titles = Math.max(...clients.map(({ title }) => title.length)) + 2;
  const lines = clients.map(
    ({ name, title, found }) =>
      name.padEnd(width) + title.padEnd(titles) + (found === null ? "not found" : visible(found)),
  );
  printResult(options, { clients }, lines);
  if (options.json !== true) printNote("To see the settings of one: pergola connect <client>");
  return exitCodes.ok;
}

function show(bridge: Bridge, connection: Connection, target: Target, options: ConnectOptions): void {
  const { name, title, file, text, settings, notes } = connection;
  if (options.json === true) {
    const { format } = settings;
    return printResult(options, { name, title, file, format, text, url: target.url, notes }, []);
  }
  printNote(file === null ? `${title}:` : `${title}: add this to ${file}`);
  printLines(text.trimEnd().split("\n").map(visible));
  for (const note of [...notes, ...tokenNotes(connection, target, options)]) printNote(note);
  if (file === null || options.write === true) return;
  const model = options.model === undefined ? [] : ["--model", options.model];
  const words = ["pergola", "connect", name, ...model, ...target.options, "--write"];
  printNote(`To let Pergola write it: ${words.map(bridge.quoted).join(" ")}`);
}

function tokenNotes(connection: Connection, target: Target, { url }: ConnectOptions): readonly string[] {
  const { name, scopes, startsPergola } = connection;
  const { token } = target;
  if (token === undefined || (startsPergola && url === undefined)) return [];
  const place = token.file === undefined ? `the variable ${token.variable}` : `the file ${token.file}`;
  return [
    `The service at ${target.url} wants a token, which is looked for in ${place}. To make one, on the ` +
      `computer of the service: pergola tokens add ${name} --scope ${scopes.join(",")}`,
  ];
}

/** Shows the change of the client's file, asks, and makes it. */
async function write(
  bridge: Bridge,
  connection: Connection,
  target: Target,
  options: ConnectOptions,
): Promise<number> {
  const { change, isDone = false, reason = "" } = bridge.planChange(connection);
  const { file } = connection;
  if (change === undefined) {
    if (!isDone) show(bridge, connection, target, { ...options, json: false });
    if (options.json === true) printResult(options, { file, written: false, reason }, []);
    else printNote(reason);
    return isDone ? exitCodes.ok : exitCodes.failed;
  }
  const behind = change.target === change.file ? "" : `, a link to ${change.target}`;
  printNote([`${change.file}${behind}`, ...change.lines].join("\n"));
  if (options.yes !== true && !(await isConfirmed("Write this?", "--yes"))) {
    printNote("Nothing has changed.");
    return exitCodes.failed;
  }
  const backup = bridge.writeChange(change);
  const before = backup === null ? [] : [`What it was before is in ${visible(backup)}`];
  printResult(options, { file, written: true, backup }, [`Wrote ${visible(change.file)}`, ...before]);
  for (const note of [...connection.notes, ...tokenNotes(connection, target, options)]) printNote(note);
  return exitCodes.ok;
}
