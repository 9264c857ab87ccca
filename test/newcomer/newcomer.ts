import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { freePort, watchProgram, type Program } from "../support/pergola.ts";
import { openRegistryOnly } from "./registry-only.ts";
import type { Step } from "./walks.ts";

const settingOfNpm = (name: string): string =>
  execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();

/** What a person at the terminal is asked, and answers. */
const answers = JSON.stringify([["Use it?", "y"]]);

/** Somebody who has Node, npm and git, a home folder with nothing in it, and no key of any vendor. */
export interface Newcomer {
  /** Goes to a folder of the home. */
  go(folder: string): void;
  /** Types a line as the documentation has it; resolves with what it wrote. Rejects if it fails. */
  type(command: string): Promise<string>;
  /** Saves a file in a folder of the home. */
  save(folder: string, file: string, text: string): void;
  /** Stops the service that was started last, if any. */
  stop(): Promise<void>;
  /** Hosts besides the registry that programs wanted to reach. */
  readonly refused: ReadonlySet<string>;
  leave(): Promise<void>;
}

/**
 * Programs that heed the usual variables reach the package registry and nothing else. The clone is of what is
 * committed here, and the service listens on a free port in the place of 8080.
 */
export async function openNewcomer(): Promise<Newcomer> {
  const home = temporaryFolder("pergola-newcomer-");
  const [registry, port] = [settingOfNpm("registry"), String(await freePort())];
  const network = await openRegistryOnly(registry);
  const env = {
    HOME: home,
    PATH: `${home}/.npm-global/bin:${process.env["PATH"] ?? ""}`,
    LANG: "C.UTF-8",
    TERM: "xterm",
    NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] ?? "",
    https_proxy: network.url,
    http_proxy: network.url,
    no_proxy: "127.0.0.1,localhost",
    npm_config_prefix: `${home}/.npm-global`,
    npm_config_registry: registry,
    npm_config_userconfig: settingOfNpm("userconfig"),
    PERGOLA_SERVER_PORT: port,
  };
  let folder = home;
  let service: Program | undefined;
  let said = "";

  /** The line as it is typed here: another address and port, and what an earlier command told to type. */
  const here = (command: string): string => {
    const told = /^\s+(npm install .+)$/m.exec(said)?.[1];
    if (command === "npm install" && told !== undefined) return told;
    return command.replace("<address>", root).replace("127.0.0.1:8080", `127.0.0.1:${port}`);
  };
  const begin = (program: string, ...words: readonly string[]): Program =>
    watchProgram(spawn(program, words, { cwd: folder, env, detached: true }));
  const end = async (program: Program, signal: NodeJS.Signals): Promise<void> => {
    process.kill(-program.child.pid!, signal);
    await program.ended;
  };
  return {
    refused: network.refused,
    go: (below) => void (folder = path.join(home, below)),
    async type(command) {
      const line = here(command);
      if (line.startsWith("cd ")) {
        folder = path.resolve(folder, line.slice(3));
        return "";
      }
      if (/\bnpm start$/.test(line)) {
        service = begin("sh", "-c", line);
        await service.wrote("stop with Ctrl-C");
        return service.stdout;
      }
      const isAsked = line.startsWith("pergola plugins add ");
      const terminal = ["python3", path.join(root, "test/support/terminal.py"), answers] as const;
      const [program, ...words] = [...(isAsked ? terminal : []), "sh", "-c", line] as const;
      const run = begin(program, ...words);
      run.child.stdin?.end();
      const code = await run.ended;
      said = run.stdout;
      if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${run.stdout}${run.stderr}`);
      return run.stdout;
    },
    save(below, file, text) {
      mkdirSync(path.join(home, below), { recursive: true });
      writeFileSync(path.join(home, below, file), text);
    },
    stop: async () => {
      if (service !== undefined) await end(service, "SIGTERM");
      service = undefined;
    },
    leave: async () => {
      if (service !== undefined) await end(service, "SIGKILL");
      await network.close();
    },
  };
}

/** How a step is shown: the line, or where the file goes. */
export const shown = (step: Step, files = ""): string =>
  "command" in step ? `$ ${step.command}` : `  saves ~/${files}/${step.file}`;
