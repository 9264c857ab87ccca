import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { AppError, countOf, isObject, type Json, type JsonObject } from "@pergola/sdk";
import type {
  ImportedMcpServer,
  LeftOutMcpServer,
  McpImport,
  McpImportAnswers,
  McpImporter,
} from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { isConfirmed } from "./ask-person.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { answersFor } from "./mcp-inputs.ts";
import { importCommand } from "./plugin-command.ts";
import { printNote, printResult } from "./print-result.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { visible } from "./visible.ts";

interface ImportOptions extends CommonOptions {
  readonly only?: readonly string[];
  readonly yes?: boolean;
}

/** One that is not added, and why. */
type Refused = Pick<LeftOutMcpServer, "title" | "reason">;

interface Known {
  readonly name: string;
  readonly command: string | null;
  readonly args?: readonly string[];
  readonly url: string | null;
}

/** The text of a file that the person has named. Throws AppError `invalid_value`. */
function textOf(file: string, largest: number): string {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) throw fault("invalid_value", `There is no file ${file}.`);
  if (facts.size > largest) throw fault("invalid_value", `${file} is too large to be a list of servers.`);
  return readFileSync(file, "utf8");
}

interface Source {
  readonly file: string;
  readonly only: readonly string[] | undefined;
}

function read(
  { limits, importServers }: McpImporter,
  { file, only }: Source,
  inputs: McpImportAnswers = new Map(),
): McpImport {
  const text = textOf(file, limits.bytes);
  let all: McpImport;
  try {
    all = importServers(text, { environment: process.env, home: homedir(), inputs });
  } catch (cause) {
    throw fault("invalid_value", `${file} names no MCP servers. ${(cause as Error).message}`, { cause });
  }
  if (only === undefined) return all;
  const isWanted = ({ title, name }: { readonly title: string; readonly name?: string }): boolean =>
    only.includes(title) || (name !== undefined && only.includes(name));
  const chosen = { servers: all.servers.filter(isWanted), leftOut: all.leftOut.filter(isWanted) };
  const found = [
    ...chosen.servers.map(({ name }) => name),
    ...titlesOf([...chosen.servers, ...chosen.leftOut]),
  ];
  const missing = only.find((name) => !found.includes(name));
  if (missing === undefined) return chosen;
  const names = titlesOf([...all.servers, ...all.leftOut]).join(", ");
  throw fault("not_found", `${file} has no server "${missing}". It has: ${names}.`);
}

const titlesOf = (all: readonly { readonly title: string }[]): readonly string[] =>
  all.map(({ title }) => title);

const clearNote =
  "  its arguments or its address may hold a secret: they are kept in clear, env and headers are not";

const namesSecret = (text: string): boolean => /(key|token|secret|password)(?![a-z])/i.test(text);

/** What a server would start or call, whole; of secrets only the names. */
function linesOf({ title, name, entry, ignored }: ImportedMcpServer): readonly string[] {
  const { command, args = [], cwd, url, enabled } = entry;
  const list = (field: string): readonly string[] => {
    const value = entry[field];
    return hasValues(value) ? [`  ${field}: ${Object.keys(value).join(", ")}`] : [];
  };
  const words = [command, ...(args as readonly string[])].map((word) => JSON.stringify(word));
  return [
    name === title ? name : `${name} (in the file: ${JSON.stringify(title)})`,
    url === undefined ? `  starts: ${words.join(" ")}` : `  calls: ${JSON.stringify(url)}`,
    ...(cwd === undefined ? [] : [`  in: ${JSON.stringify(cwd)}`]),
    ...list("env"),
    ...list("headers"),
    ...(namesSecret(JSON.stringify([args, url])) ? [clearNote] : []),
    ...(enabled === false ? ["  switched off, as in the file"] : []),
    ...(ignored.length > 0 ? [`  without: ${ignored.map((field) => JSON.stringify(field)).join(", ")}`] : []),
  ];
}

/** Whether a server is `pergola mcp`. */
function isPergola({ command, args }: JsonObject): boolean {
  const words = [command, ...((args ?? []) as readonly unknown[])].filter((word) => typeof word === "string");
  const isOwn = words.some((word) => path.basename(word) === "pergola" || word === process.argv[1]);
  return isOwn && words.includes("mcp");
}

/** Why a server is not added: it is Pergola, or one of its name is there. */
function presence(known: Known | undefined, { entry }: ImportedMcpServer): string | undefined {
  if (isPergola(entry)) return "it is Pergola itself";
  if (known === undefined) return undefined;
  const of = ({ command = null, args = [], url = null }: JsonObject): string =>
    JSON.stringify([command, args, url]);
  const isSame = of(known as unknown as JsonObject) === of(entry);
  return isSame ? "it is there already; env and headers were not compared" : "another server has this name";
}

/** Adds the MCP servers of another program's file, after showing each. */
export async function importMcp(file: string, options: ImportOptions): Promise<number> {
  const bridge = await importCommand<McpImporter>("mcp-import", options);
  const source = { file: path.resolve(file), only: options.only };
  const first = read(bridge, source);
  const answers = await answersFor(first.leftOut);
  if (answers === undefined) return exitCodes.interrupted;
  const found = answers.size === 0 ? first : read(bridge, source, answers);
  return withService({ ...options, secretsMayMiss: true }, (service) => add(service, found, options));
}

async function add(service: Service, found: McpImport, options: ImportOptions): Promise<number> {
  const { servers: known } = await service.get<{ readonly servers: readonly Known[] }>("/api/mcp/servers");
  const judged = found.servers.map((server) => ({
    server,
    reason: presence(
      known.find(({ name }) => name === server.name),
      server,
    ),
  }));
  const fresh = judged.flatMap(({ server, reason }) => (reason === undefined ? [server] : []));
  const leftOut: Refused[] = [
    ...found.leftOut,
    ...judged.flatMap(({ server: { title }, reason }) => (reason === undefined ? [] : [{ title, reason }])),
  ];
  for (const server of fresh) printNote(linesOf(server).join("\n"));
  if (fresh.length > 0 && options.yes !== true && !(await isConfirmed(questionOf(fresh), "--yes"))) {
    printNote("Nothing has been added.");
    return exitCodes.failed;
  }
  const failed = await addAll(service, fresh);
  report(service, fresh, [...leftOut, ...failed], options);
  return exitCodeOf(failed.length === 0);
}

const questionOf = (fresh: readonly ImportedMcpServer[]): string =>
  `Add ${countOf(fresh.length, "server")}? Programs run with all that you may.`;

/** Adds them one by one; resolves with those that the service refused. */
async function addAll(service: Service, fresh: readonly ImportedMcpServer[]): Promise<readonly Refused[]> {
  const failed: Refused[] = [];
  for (const { title, name, entry } of fresh)
    try {
      await service.send("POST", "/api/mcp/servers", { name, ...entry });
    } catch (error) {
      if (!AppError.is(error)) throw error;
      failed.push({ title, reason: error.message });
    }
  return failed;
}

const hasValues = (field: Json | undefined): field is JsonObject =>
  isObject(field) && Object.keys(field).length > 0;

function report(
  service: Service,
  fresh: readonly ImportedMcpServer[],
  leftOut: readonly Refused[],
  options: ImportOptions,
): void {
  const added = fresh.filter(({ title }) => !leftOut.some((each) => each.title === title));
  const names = added.map(({ name }) => name);
  const reasons = leftOut.map(({ title, reason }) => ({ title, reason }));
  printResult(options, { added: names, leftOut: reasons }, [
    names.length > 0 ? `Added ${names.join(", ")}.` : "Added none.",
    ...leftOut.map(({ title, reason }) => visible(`Left out ${JSON.stringify(title)}: ${reason}.`)),
  ]);
  if (names.length === 0 || options.json === true) return;
  if (added.some(({ entry }) => hasValues(entry["env"]) || hasValues(entry["headers"])))
    printNote(
      "Values of env and headers are kept as secrets: take them out of the file if you need it no more.",
    );
  if (!service.own) printNote("Models are offered their tools once the service has been started again.");
}
