import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../architecture/tree.ts";
import { startProgram, type Program } from "./processes.ts";

/** Everything a bench runs against: the model, the references and the service, each a process of its own. */
export interface Setting {
  readonly folder: string;
  readonly files: string;
  readonly mock: Program;
  readonly pipe: Program;
  readonly floor: Program;
  readonly service: Program;
  end(): Promise<void>;
}

const reference = (name: string): string => path.join(root, "test/bench/ref", `${name}.mjs`);

/** The built service on the given data, its model the mock. */
export function startService(data: string, mockPort: number, core = 0): Promise<Program> {
  mkdirSync(data, { recursive: true });
  const settings = path.join(data, "..", `${path.basename(data)}.json`);
  const providers = {
    list: [{ type: "custom", id: "mock", prefix: "mock", base_url: `http://127.0.0.1:${mockPort}/v1` }],
  };
  const content = {
    default_model: "mock/echo",
    providers,
    runs: { max_parallel: 1000 },
    log: { level: "error" },
    // A server on this machine is taken for one whose models know no tools, unless somebody says otherwise.
    "models.overrides": Object.fromEntries(
      ["echo", "s-2-1", "s-100-20", "s-1000-10", "tools-50", "tools-200"].map((name) => [
        `mock/${name}`,
        { contextWindow: 1_000_000, supportsTools: true },
      ]),
    ),
  };
  writeFileSync(settings, JSON.stringify(content));
  return startProgram(
    [
      path.join(root, "core/dist/main.js"),
      "start",
      "--json",
      "--settings",
      settings,
      "--data",
      data,
      "--port",
      String(freePort()),
    ],
    core,
  );
}

let port = 20_000 + (process.pid % 20_000);
const freePort = (): number => (port += 1);

export async function openSetting(): Promise<Setting> {
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-bench-"));
  const files = path.join(folder, "files");
  mkdirSync(files);
  for (let number = 0; number < 256; number++)
    writeFileSync(
      path.join(files, `note-${number}.txt`),
      `${"A line of an ordinary note. ".repeat(28)}${number}\n`,
    );
  const mock = await startProgram([reference("mock"), files], 1);
  const pipe = await startProgram([reference("pipe"), String(mock.port)], 0);
  const floor = await startProgram(
    [reference("floor"), String(mock.port), files, path.join(folder, "floor.db")],
    0,
  );
  const service = await startService(path.join(folder, "data"), mock.port);
  const programs = [mock, pipe, floor, service];
  const end = async (): Promise<void> => {
    await Promise.all(programs.map((program) => program.end()));
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, files, mock, pipe, floor, service, end };
}
