import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../architecture/tree.ts";
import { chat, getJson, serviceDoor } from "./client.ts";
import { cores, startProgram, type Program } from "./processes.ts";

/** Everything a bench runs against: the model, the references and the service, each a process of its own. */
export interface Setting {
  readonly folder: string;
  readonly files: string;
  readonly mock: Program;
  readonly pipe: Program;
  readonly keeper: Program;
  readonly floor: Program;
  readonly service: Program;
  /** A further service, on data of its own or on given ones. It is ended with the setting at the latest. */
  readonly start: (data: string, options?: ServiceOptions) => Promise<Program>;
  end(): Promise<void>;
}

export interface ServiceOptions {
  readonly on?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

const reference = (name: string): string => path.join(root, "test/bench/ref", `${name}.mjs`);

/**
 * The scripts in use. A server on this machine is taken for one whose models know no tools, unless somebody
 * says otherwise.
 */
const scripts = [
  ...[
    "echo",
    "s-1-1",
    "s-2-1",
    "s-5-50",
    "s-25-50",
    "s-30-50",
    "s-65-50",
    "s-200-50",
    "s-1000-10",
    "s-2-60000",
    "s-2000-50",
    "s-2-60000",
  ],
  ...["tools-0", "tools-20", "tools-50", "tools-200", "sums-1", "sums-31"],
];
const overrides = {
  ...Object.fromEntries(
    scripts.map((name) => [`mock/${name}`, { contextWindow: 4_000_000, supportsTools: true }]),
  ),
  "mock/small": { contextWindow: 32_768, supportsTools: true },
};

/** The built service on the given data, its model the mock. */
export async function startService(
  data: string,
  mockPort: number,
  { on = cores.one, settings = {} }: ServiceOptions = {},
): Promise<Program> {
  mkdirSync(data, { recursive: true });
  const file = path.join(data, "..", `${path.basename(data)}.json`);
  const list = [{ type: "custom", id: "mock", prefix: "mock", base_url: `http://127.0.0.1:${mockPort}/v1` }];
  const content = {
    default_model: "mock/echo",
    providers: { list },
    // Room for the three thousand streams of the reliability rows; no row measures a refusal.
    runs: { max_parallel: 1000, max_waiting: 10_000 },
    log: { level: "error" },
    "models.overrides": overrides,
    ...settings,
  };
  writeFileSync(file, JSON.stringify(content));
  const main = path.join(root, "core/dist/main.cjs");
  const places = ["--settings", file, "--data", data, "--port", String(await freePort())];
  return startProgram([main, "start", "--json", ...places], on);
}

let port = 20_000 + (process.pid % 10_000);

const isFree = (candidate: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(candidate, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** Below those that the system gives to connections. */
export async function freePort(): Promise<number> {
  do port += 1;
  while (!(await isFree(port)));
  return port;
}

function writeNotes(folder: string): string {
  const files = path.join(folder, "files");
  mkdirSync(files);
  for (let number = 0; number < 256; number++) {
    const text = `${"A line of an ordinary note. ".repeat(28)}${number}\n`;
    writeFileSync(path.join(files, `note-${number}.txt`), text);
  }
  return files;
}

/** A tool as a model is offered it. */
export interface OfferedFunction {
  readonly function: {
    readonly name: string;
    readonly parameters: {
      readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    };
  };
}

/** The tools in the last request that the model got. */
export async function offeredTools({ port }: Program): Promise<readonly OfferedFunction[]> {
  const { tools = [] } = await getJson<{ readonly tools?: readonly OfferedFunction[] }>(port, "/last");
  return tools;
}

export async function openSetting(): Promise<Setting> {
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-bench-"));
  const files = writeNotes(folder);
  const programs: Program[] = [];
  const added = async (starting: Promise<Program>): Promise<Program> => {
    const program = await starting;
    programs.push(program);
    return program;
  };
  const end = async (): Promise<void> => {
    await Promise.all(programs.map((program) => program.end()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const mock = await added(startProgram([reference("mock"), files], cores.rest));
    const run = (name: string, ...more: readonly string[]): Promise<Program> =>
      added(startProgram([reference(name), String(mock.port), ...more], cores.one));
    const start = (data: string, options?: ServiceOptions): Promise<Program> =>
      added(startService(path.join(folder, data), mock.port, options));
    const service = await start("data");
    await chat(serviceDoor(service.port), { model: "tools-0", stream: true });
    const tools = path.join(folder, "tools.json");
    writeFileSync(tools, JSON.stringify(await offeredTools(mock)));
    const [pipe, keeper] = [await run("pipe"), await run("keeper", path.join(folder, "keeper.db"))];
    const floor = await run("floor", files, path.join(folder, "floor.db"), tools);
    return { folder, files, mock, pipe, keeper, floor, service, start, end };
  } catch (error) {
    await end();
    throw error;
  }
}
