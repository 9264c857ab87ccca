import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Json } from "@pergola/sdk";
import type { MockScript, TestHost } from "@pergola/sdk/testing";
import { officialPlugins } from "../../support/host.ts";
import { chosenStorage } from "../../support/chosen-storage.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { freePort, openProject, type Begin, type Program, type Project } from "../../support/pergola.ts";

const effectsPlugin = {
  use: path.join(import.meta.dirname, "..", "..", "support", "plugins", "tool-effects"),
  isolation: "trusted",
};

/** What a call of the family `effects` left behind, in order. */
export interface Trace {
  readonly word: "begin" | "effect" | "end";
  readonly operation: string;
  readonly callId: string;
}

/**
 * The built host, in a process of its own and with its data on disk: it is killed and started again on the
 * same data.
 */
export interface Service extends Pick<TestHost, "json" | "request"> {
  readonly project: Project;
  readonly program: Program;
  /** Where it listens. */
  readonly url: string;
  start(how?: Begin): Promise<void>;
  kill(): Promise<void>;
  /** Kills it and starts it again. */
  restart(): Promise<void>;
  traces(): readonly Trace[];
  /** Ends everything. */
  close(): Promise<void>;
}

/** Not started yet. */
export async function openService(
  script?: MockScript,
  settings: Readonly<Record<string, Json>> = {},
): Promise<Service> {
  const project = await openProject(script);
  const plugins = [
    ...officialPlugins(["bundle-standard", "provider-embedded", "provider-scripted"]),
    effectsPlugin,
  ];
  const storage = await chosenStorage({ type: "sqlite" }, project.data);
  project.settings({
    plugins,
    storage,
    "memory.embedding_model": "",
    "log.level": "error",
    ...settings,
  });
  await approvePlugins(project.data, effectsPlugin.use);
  let [url, program]: [string, Program | undefined] = ["", undefined];
  const running = (): Program => program as Program;
  const start: Service["start"] = async (how) => {
    const port = await freePort();
    program = project.begin(["start", "--port", String(port)], how);
    await program.wrote("stop with Ctrl-C");
    url = `http://127.0.0.1:${port}`;
  };
  const kill = async (): Promise<void> => void (await running().end("SIGKILL"));
  const request: Service["request"] = (method, route, body, headers = {}) =>
    fetch(url + route, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    project,
    get program() {
      return running();
    },
    get url() {
      return url;
    },
    start,
    kill,
    restart: async () => {
      await kill();
      await start();
    },
    request,
    json: async <T>(method: string, route: string, body?: unknown) => {
      const answer = await request(method, route, body);
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T };
    },
    traces: () => tracesIn(path.join(project.folder, "effects.log")),
    close: () => project.close(),
  };
}

function tracesIn(file: string): readonly Trace[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [word, operation = "", callId = ""] = line.split(" ");
    return { word: word as Trace["word"], operation, callId };
  });
}
