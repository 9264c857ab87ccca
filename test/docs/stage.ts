import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { built, freePort, watchProgram, type Program } from "../support/pergola.ts";
import { placeOf, type Fence } from "./fences.ts";

/** How a shell or an interpreter runs a block. */
const interpreters: Readonly<Record<string, readonly [program: string, file: string]>> = {
  js: [process.execPath, "example.mjs"],
  python: ["python3", "example.py"],
};

/** Two commands ask their person, and there is none: what a script would write instead. */
const agreed = (text: string): string =>
  text
    .replaceAll(/^(pergola undo(?! --list)[^#\n]*)/gm, "$1 --yes ")
    .replaceAll(
      /^(pergola plugins approve [\w-]+)$/gm,
      `$1 --yes --permissions $($1 --dry-run | sed -n 's/^ *consent *//p')`,
    );

/** A reader with an empty home, who has made the command `pergola` and types what the pages show. */
export interface Stage {
  readonly home: string;
  /** `http://127.0.0.1:<port>`, where the reader's service is. */
  readonly url: string;
  /** Starts the service, in a folder. */
  serve(folder: string): Promise<void>;
  /** The folder in which a page's blocks run, where the packages of this tree are found. */
  folderOf(page: string): string;
  /** Runs a block and resolves with what it wrote. Rejects where it fails or an answer is an error. */
  run(block: Fence, input?: string): Promise<string>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  await built();
  const home = temporaryFolder("pergola-docs-");
  const prefix = path.join(home, "prefix");
  mkdirSync(prefix);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    HOME: home,
    PATH: [path.join(prefix, "bin"), path.join(root, "node_modules", ".bin"), process.env["PATH"]].join(":"),
    NO_COLOR: "1",
    PERGOLA_SERVER_PORT: String(port),
    npm_config_prefix: prefix,
    npm_config_offline: "true",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
  };
  const programs = new Set<Program>();
  const open = (program: string, words: readonly string[], cwd: string): Program => {
    const opened = watchProgram(spawn(program, words, { cwd, env }));
    programs.add(opened);
    return opened;
  };
  const here = (text: string): string =>
    agreed(text.replaceAll("http://127.0.0.1:8080", url).replaceAll("npx pergola", "pergola"));
  const begin = (line: string, folder: string): Program => open("sh", ["-ec", here(line)], folder);
  mkdirSync(path.join(home, "pages"));
  symlinkSync(path.join(root, "node_modules"), path.join(home, "pages", "node_modules"));
  const folderOf: Stage["folderOf"] = (page) => {
    const folder = path.join(home, "pages", path.basename(page, ".md"));
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const beginBlock = ({ page, language, text }: Fence): Program => {
    const folder = /\.\/core\b/.test(text) ? root : folderOf(page);
    const [program, file] = interpreters[language] ?? [];
    if (program === undefined || file === undefined) return begin(text, folder);
    writeFileSync(path.join(folder, file), here(text));
    return open(program, [file], folder);
  };
  return {
    home,
    url,
    folderOf,
    serve: async (folder) => begin("exec pergola start", folder).wrote("stop with Ctrl-C"),
    async run(block, input = "") {
      const program = beginBlock(block);
      program.child.stdin?.on("error", () => undefined).end(input);
      const code = await program.ended;
      const { stdout, stderr } = program;
      if (code === 0 && !stdout.includes('{"error":{')) return stdout + stderr;
      throw new Error(`${placeOf(block)} ends with ${code}:\n${stdout}${stderr}`);
    },
    async close() {
      for (const { child } of programs) child.kill("SIGTERM");
      await Promise.all([...programs].map(({ ended }) => ended));
    },
  };
}
