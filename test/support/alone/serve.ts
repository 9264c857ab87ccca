import { execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { JsonObject, PluginStatus } from "@pergola/sdk";
import { freePort, watchProgram } from "../pergola.ts";

/** How a call by hand ended. */
export interface Called {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
  readonly toolResult?: { readonly message: string };
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** A host that runs in a project, and what may be asked of it. */
export interface Serving {
  /** The plugins, as `pergola plugins list` shows them. */
  readonly plugins: readonly PluginStatus[];
  /** The JSON of an answer, or of the first event of a stream; of text `{ page }`. */
  readonly ask: <T = JsonObject>(
    method: string,
    route: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer<T>>;
  /** Calls a tool as the person; `more` goes into the body. */
  readonly call: (tool: string, args: object, more?: object) => Promise<Called>;
  /** What a command of the project's program prints, with an input if it reads one. */
  readonly pergola: (words: readonly string[], input?: string) => Promise<string>;
  readonly end: () => Promise<number | NodeJS.Signals>;
}

function surroundings(project: string) {
  const home = path.join(project, "home");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    NO_COLOR: "1",
  };
  return {
    home,
    environment,
    program: path.join(project, "node_modules", ".bin", "pergola"),
    data: path.join(home, "data"),
  };
}

/** Writes a settings file into a project. */
export function writeSettings(project: string, settings: JsonObject): void {
  mkdirSync(surroundings(project).home, { recursive: true });
  writeFileSync(path.join(project, "pergola.config.json"), JSON.stringify(settings));
}

/**
 * The plugins as `pergola plugins list` of the project shows them. Plain Node runs what is installed: no
 * loader, no condition, no sources.
 */
async function listPlugins(project: string): Promise<readonly PluginStatus[]> {
  const { program, environment: env } = surroundings(project);
  const words = [program, "plugins", "list", "--json", "--settings", "pergola.config.json"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: project, env });
  return (JSON.parse(stdout) as { readonly plugins: readonly PluginStatus[] }).plugins;
}

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/** Of a stream that need not end. */
async function firstEvent({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (/^data: .*\n/m.test(text)) break;
  }
  return text;
}

/** Starts the project's host. Rejects with what it wrote when it does not start. */
export async function serve(project: string): Promise<Serving> {
  const { program, environment: env, data } = surroundings(project);
  const [port, plugins] = [await freePort(), await listPlugins(project)];
  const words = [
    program,
    "start",
    "--settings",
    "pergola.config.json",
    "--data",
    data,
    "--port",
    String(port),
  ];
  const running = watchProgram(spawn(process.execPath, words, { cwd: project, env }));
  await running.wrote("stop with Ctrl-C");
  const ask: Serving["ask"] = async <T>(method: string, route: string, body?: object, headers = {}) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...given,
    });
    const text = method === "GET" && isStream(answer) ? await firstEvent(answer) : await answer.text();
    const isPage = /^text\/(html|plain)/.test(answer.headers.get("content-type") ?? "");
    const json = isPage ? JSON.stringify({ page: text }) : (/^data: (.*)$/m.exec(text)?.[1] ?? text);
    return { status: answer.status, body: JSON.parse(json) as T };
  };
  return {
    plugins,
    ask,
    call: async (tool, args, more = {}) => {
      const request = {
        tool,
        arguments: args,
        workingDirectory: path.join(project, "work"),
        isUserInitiated: true,
        ...more,
      };
      return (await ask<Called>("POST", "/debug/mcp/execute", request)).body;
    },
    pergola: async (command, input = "") => {
      const all = [program, ...command, "--settings", "pergola.config.json", "--data", data];
      const asked = promisify(execFile)(process.execPath, all, { cwd: project, env });
      asked.child.stdin?.end(input);
      return (await asked).stdout;
    },
    end: () => running.end(),
  };
}
