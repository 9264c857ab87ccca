import { spawn, execFile, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import type { Json } from "@pergola/sdk";
import {
  chatReply,
  mockProviderServer,
  temporaryFolder,
  type MockProviderServer,
  type MockScript,
} from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";

/** Nothing outlives the tests, even those that were cut off. */
const begun = new Set<ChildProcess>();
const killAll = (): void => begun.forEach((child) => child.kill("SIGKILL"));

let building: Promise<unknown> | undefined;

/** Builds what is older than its sources, once in a test run. */
export const built = (): Promise<unknown> =>
  (building ??= promisify(execFile)(process.execPath, [
    path.join(root, "scripts", "build.mjs"),
    "--if-needed",
  ]));

const modes = {
  build: [path.join(root, "core", "dist", "main.cjs")],
  source: [
    "--conditions=source",
    "--import",
    import.meta.resolve("tsx"),
    path.join(root, "core", "command.ts"),
  ],
} as const;

export interface Program {
  readonly child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code; a signal's name when one ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Resolves when the text stands in what was written so far; rejects when the program ends before. */
  wrote(text: string): Promise<void>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** A program at work, and all that it writes. */
export function watchProgram(child: ChildProcess): Program {
  const output = { stdout: "", stderr: "" };
  // Not while this module is loaded: mocha may load it again for each test file.
  if (!process.listeners("exit").includes(killAll)) process.once("exit", killAll);
  begun.add(child);
  child.once("close", () => begun.delete(child));
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      child.emit("wrote");
    });
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    child,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    ended,
    wrote: async (text) => {
      const early = ended.then((code) => {
        throw new Error(
          `It ended with ${code} and had not written "${text}":\n${output.stdout}${output.stderr}`,
        );
      });
      early.catch(() => undefined);
      while (!(output.stdout + output.stderr).includes(text))
        await Promise.race([once(child, "wrote"), early]);
    },
    end: async (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The system gives ports above these to whoever asks for any, such as tests in other processes. */
const ports = { from: 20_000, count: 12_000 };

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(ports.from, ports.from + ports.count);
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, "close");
  return port;
}

/**
 * A project with a settings file, data of its own, and a scripted model; nothing of the machine's user is
 * read.
 */
export interface Project {
  readonly folder: string;
  readonly data: string;
  readonly model: MockProviderServer;
  /** The environment of its programs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Writes the settings, which name the model, plus what is given. */
  settings(more?: Readonly<Record<string, Json | undefined>>): string;
  /** Begins a command in the project's folder, with its settings and data unless `bare`. */
  begin(words: readonly string[], how?: Begin): Program;
  /** The same, to its end. */
  run(words: readonly string[], how?: Begin): Promise<Program & { readonly code: number | NodeJS.Signals }>;
  /** Ends what still runs, and the model. */
  close(): Promise<void>;
}

export interface Begin {
  readonly mode?: keyof typeof modes;
  readonly input?: string;
  readonly bare?: boolean;
  /** A program and its arguments that start the command as their own last arguments. */
  readonly through?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export async function openProject(script: MockScript = chatReply({ text: "Hello." })): Promise<Project> {
  await built();
  const home = temporaryFolder("pergola-cli-");
  const [folder, data, file] = [
    path.join(home, "project"),
    path.join(home, "data"),
    path.join(home, "settings.json"),
  ];
  mkdirSync(folder);
  const model = await mockProviderServer(script);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, "config"),
    NO_COLOR: "1",
  };
  const programs: Program[] = [];
  const settings: Project["settings"] = (more = {}) => {
    const list = [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }];
    const tools = { "custom/test": { supportsTools: true } };
    writeFileSync(
      file,
      JSON.stringify({
        default_model: "custom/test",
        "providers.list": list,
        "models.overrides": tools,
        ...more,
      }),
    );
    return file;
  };
  const begin: Project["begin"] = (
    words,
    { mode = "build", input, bare = false, through = [], environment: more = {} } = {},
  ) => {
    const where = bare ? [] : ["--settings", file, "--data", data];
    const [command = "", ...rest] = [...through, process.execPath, ...modes[mode], ...words, ...where];
    const child = spawn(command, rest, {
      cwd: folder,
      env: { ...environment, ...more },
    });
    if (input !== undefined) child.stdin.end(input);
    programs.push(watchProgram(child));
    return programs.at(-1)!;
  };
  settings();
  return {
    folder,
    data,
    model,
    environment,
    settings,
    begin,
    run: async (words, how = {}) => {
      const program = begin(words, { input: "", ...how });
      return Object.assign(program, { code: await program.ended });
    },
    close: async () => {
      for (const { child } of programs) child.kill("SIGKILL");
      await Promise.all(programs.map(({ ended }) => ended));
      await model.close();
    },
  };
}

/** Where a project's program in the given mode begins: for what starts it in another way. */
export const commandOf = (mode: keyof typeof modes): readonly string[] => [process.execPath, ...modes[mode]];
