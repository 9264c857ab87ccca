import { isObject, type Json, type JsonObject } from "@pergola/sdk";
import type {
  ImportedMcpServer,
  LeftOutMcpServer,
  McpImport,
  McpImportSurroundings,
} from "@pergola/sdk/host";
import { getNodeValue, parseTree, type ParseError } from "jsonc-parser";
import { inputsOf } from "./import-inputs.ts";
import { expand } from "./import-variables.ts";

/** Bytes, levels, servers and characters of a text: more is no file that a person has written. */
export const limits = { bytes: 1 << 20, depth: 32, servers: 64, text: 8192 } as const;

/** Strings and comments, whose brackets do not count. */
const noise = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Found without recursion: the parser has one for each level. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.replaceAll(noise, "").matchAll(/[[\]{}]/g)) {
    depth += sign === "[" || sign === "{" ? 1 : -1;
    if (depth > limits.depth) return true;
  }
  return false;
}

interface Found {
  readonly servers: JsonObject;
  /** What the file says of the values that it leaves to the person. */
  readonly inputs: Json | undefined;
}

/** The servers by their names. Throws Error for a text that is no such file. */
function serversIn(text: string): Found {
  if (isTooDeep(text)) throw new Error("It is nested too deeply.");
  const errors: ParseError[] = [];
  const tree = parseTree(text.replace(/^\ufeff/, ""), errors, { allowTrailingComma: true });
  // Its objects have no prototype: `__proto__` is a key like any other.
  const root = tree && errors.length === 0 ? (getNodeValue(tree) as Json) : undefined;
  if (!isObject(root)) throw new Error("It is no JSON object.");
  const servers = root["mcpServers"] ?? root["servers"];
  if (!isObject(servers)) throw new Error('It has neither "mcpServers" nor "servers".');
  if (Object.keys(servers).length > limits.servers)
    throw new Error(`It has more than ${limits.servers} servers.`);
  return { servers, inputs: root["inputs"] };
}

/** A name as `mcp.servers` takes it; empty where nothing is left of it. */
const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_\d]+|_+$/g, "")
    .slice(0, 32)
    .replace(/^servers$/, "servers_");

const used = new Set([
  "type",
  "transport",
  "command",
  "args",
  "env",
  "cwd",
  "url",
  "serverUrl",
  "headers",
  "disabled",
]);

/** A text without signs that only mislead, or an Error that names its place. */
function textAt(place: string, value: Json | undefined): string {
  if (typeof value !== "string") throw new Error(`${place} is no text`);
  if (value.length > limits.text) throw new Error(`${place} is too long`);
  if (/(?![\n\r\t])\p{Cc}/u.test(value)) throw new Error(`${place} holds control characters`);
  return value;
}

function listAt(place: string, value: Json): readonly string[] {
  if (!Array.isArray(value)) throw new Error(`${place} is no list`);
  return (value as readonly Json[]).map((each, at) => textAt(`${place}[${at}]`, each));
}

function textsAt(place: string, value: Json): Readonly<Record<string, string>> {
  if (!isObject(value)) throw new Error(`${place} is no object`);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (!/^[\w.-]{1,200}$/.test(name)) throw new Error(`${place} has a name that no variable has`);
      return [name, textAt(`${place}.${name}`, each)];
    }),
  );
}

/** The fields that are there, read by their form. */
function entryOf(server: JsonObject, around: McpImportSurroundings): JsonObject {
  const kind = server["type"] ?? server["transport"];
  if (kind === "sse") throw new Error("it speaks the SSE transport of 2024, which Pergola does not");
  const { command, args, cwd, env, headers } = server;
  const url = server["url"] ?? server["serverUrl"];
  if ((command === undefined) === (url === undefined)) throw new Error("it needs either a command or a url");
  const plain = (text: string): string => expand(text, around, "plain");
  const secret = (values: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, expand(text, around, "secret")]));
  return {
    ...(command !== undefined && { command: plain(textAt("command", command)) }),
    ...(args !== undefined && { args: listAt("args", args).map(plain) }),
    ...(cwd !== undefined && { cwd: plain(textAt("cwd", cwd)) }),
    ...(env !== undefined && { env: secret(textsAt("env", env)) }),
    ...(url !== undefined && { url: plain(textAt("url", url)) }),
    ...(headers !== undefined && { headers: secret(textsAt("headers", headers)) }),
    ...(server["disabled"] === true && { enabled: false }),
  };
}

function importOne(title: string, server: Json, around: McpImportSurroundings): ImportedMcpServer {
  const name = nameOf(title);
  if (name === "") throw new Error("nothing of its name can be kept: it needs letters from a to z");
  if (!isObject(server)) throw new Error("it is no object");
  const ignored = Object.keys(server).filter((field) => !used.has(field));
  return { title, name, entry: entryOf(server, around), ignored };
}

/**
 * The MCP servers of another program's file: `mcpServers`, as Claude, Cursor and LM Studio have it, or
 * `servers`, as VS Code has it, in JSON with comments. Throws Error for a text that is no such file.
 */
export function importServers(text: string, around: McpImportSurroundings): McpImport {
  const servers: ImportedMcpServer[] = [];
  const leftOut: LeftOutMcpServer[] = [];
  const file = serversIn(text);
  for (const [title, server] of Object.entries(file.servers))
    try {
      const found = importOne(title, server, around);
      const twin = servers.find(({ name }) => name === found.name);
      if (twin !== undefined) throw new Error(`"${twin.title}" has the same name in Pergola, ${found.name}`);
      servers.push(found);
    } catch (error) {
      const missing = inputsOf(server, file.inputs).filter(({ id }) => around.inputs?.has(id) !== true);
      leftOut.push({ title, reason: (error as Error).message, inputs: missing });
    }
  return { servers, leftOut };
}
