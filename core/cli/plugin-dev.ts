import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, countOf, messageOf } from "@pergola/sdk";
import { sortPaths } from "../check/check-paths.ts";
import { DevService, type Loaded } from "../dev/dev-service.ts";
import { stampOf, type Sources } from "../dev/read-sources.ts";
import { fault } from "../fault.ts";
import { sentences } from "../plugins/plugin-status.ts";
import { callOperation, operationsOf, type OwnOperation } from "./dev-call.ts";
import { exitCodes } from "./exit-codes.ts";
import { isAtLeast, linesOf, readLogLine } from "./log-line.ts";
import { printError, printLines, printNote } from "./print-result.ts";
import { readLines } from "./read-lines.ts";
import type { CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface DevCommandOptions extends CommonOptions {
  readonly trusted?: boolean;
  readonly call?: string;
  readonly yes?: boolean;
}

/** Milliseconds between two looks at the sources. */
const pause = 300;

const help = `  call <operation> {json}    calls one; name=value does as well
  list                       lists the operations, with their effects, and the routes
  reload                     builds and loads what is saved, unchanged as well
  quit                       ends the service, as Ctrl-C does`;

/** `pergola plugins dev`: runs a plugin in a service of its own, and again after each save. */
export async function developPlugin(given: string | undefined, options: DevCommandOptions): Promise<number> {
  const dev = new Development(given ?? ".", options);
  try {
    return await (options.call === undefined ? dev.serve() : dev.callOnce(options.call));
  } finally {
    await dev.stop();
  }
}

class Development {
  readonly #sources: Sources;
  readonly #options: DevCommandOptions;
  readonly #service: DevService;
  readonly #ended = new AbortController();
  #operations: readonly OwnOperation[] = [];
  #routes: readonly string[] = [];
  #stamp = "";
  /** Saves and calls take turns. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(given: string, options: DevCommandOptions) {
    const { folders, files } = sortPaths([given]);
    const [place = ""] = [...folders, ...files];
    if (files.length === 0 && !existsSync(path.join(place, "plugin.json"))) {
      const message = `${place} holds no plugin: it has no plugin.json.`;
      throw fault("not_found", `${message} \`pergola plugins new <kind> <name>\` makes one.`);
    }
    this.#sources = { path: place, isFile: files.length > 0 };
    this.#options = options;
    const { trusted = false, settings, data, port = "0" } = options;
    this.#service = new DevService(this.#sources, {
      trusted,
      ...(settings !== undefined && { settings }),
      ...(data !== undefined && { data }),
      port: Number(port),
      writeLog: (line) => this.#showLine(line),
      note: printNote,
    });
  }

  /** Loads it and makes one call; a signal ends both. */
  async callOnce(text: string): Promise<number> {
    const work = this.#load().then((isGood) => (isGood ? this.#call(text) : exitCodes.failed));
    return Promise.race([work, this.#signalled().then(() => exitCodes.interrupted)]);
  }

  /** Until Ctrl-C, or the end of the input at a terminal. */
  async serve(): Promise<number> {
    void this.#signalled();
    if (await this.#load()) this.#greet();
    void this.#readPrompt();
    while (!this.#ended.signal.aborted) {
      await sleep(pause, undefined, { signal: this.#ended.signal }).catch(() => undefined);
      await this.#turn;
      if (await this.#isSaved()) await this.#inTurn(() => this.#load());
    }
    await this.#turn;
    return exitCodes.ok;
  }

  async stop(): Promise<void> {
    await this.#service.stop();
  }

  /** Resolves when a signal has come; the second ends the process at once. */
  #signalled(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#end();
        resolve();
      };
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
    });
  }

  #end(): void {
    this.#ended.abort();
    this.#service.cancel();
  }

  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => printError(messageOf(error)));
    return this.#turn;
  }

  /** Whether a source has changed, and no more is being written. */
  async #isSaved(): Promise<boolean> {
    const now = stampOf(this.#sources);
    if (now === this.#stamp || now === "") return false;
    await sleep(pause / 3);
    return stampOf(this.#sources) === now;
  }

  async #load(): Promise<boolean> {
    this.#stamp = stampOf(this.#sources);
    const loaded = await this.#service.load();
    return this.#report(loaded);
  }

  async #report({ plugin, problems }: Loaded): Promise<boolean> {
    if (this.#ended.signal.aborted) return false;
    for (const problem of problems) printError(sentences(problem));
    if (plugin === undefined) {
      const runsOn =
        this.#service.host === undefined ? "Nothing runs yet." : "The last good version runs on.";
      printNote(`${runsOn} Correct it and save.`);
      return false;
    }
    const { id, version, kind, provides } = plugin;
    this.#operations = await operationsOf(this.#service.host!, id);
    this.#routes = (provides["endpoints"] ?? []) as readonly string[];
    const count = countOf(this.#operations.length, "operation", "operations");
    printNote(`Loaded ${id} ${version}${kind === "tool" ? `: ${count}` : ""}.`);
    return true;
  }

  #greet(): void {
    const { host, data, settings } = this.#service;
    const use = `pergola chat --data ${data} --settings ${settings}`;
    printNote(`It serves on ${host?.url ?? ""}; talk to it with: ${use}`);
    printNote(`Save a file, and it is loaded again. Ctrl-C ends it. You can write:\n${help}`);
  }

  async #readPrompt(): Promise<void> {
    const words = ["call", "list", "reload", "help", "quit"];
    for await (const line of readLines("> ", () => this.#end(), words)) {
      if (line.trim() !== "") await this.#inTurn(() => this.#obey(line.trim()));
      if (this.#ended.signal.aborted) return;
    }
    if (process.stdin.isTTY) this.#end();
  }

  async #obey(line: string): Promise<void> {
    const [, word = "", rest = ""] = /^(\S+)\s*([^]*)$/.exec(line) ?? [];
    const commands: Readonly<Record<string, () => unknown>> = {
      call: () => this.#call(rest),
      list: () => this.#list(),
      reload: () => this.#load(),
      help: () => printNote(help),
      quit: () => this.#end(),
    };
    const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
    if (command === undefined) printNote(`There is no "${word}". You can write:\n${help}`);
    else await command();
  }

  #list(): void {
    const operations = this.#operations.map(({ name, effect }) => `${name} ${styled("dim", effect)}`);
    const lines = [...operations, ...this.#routes];
    if (lines.length === 0) printNote("It has no operations and no routes.");
    printLines(lines);
  }

  async #call(text: string): Promise<number> {
    const { host } = this.#service;
    const { json = false, yes = false } = this.#options;
    try {
      if (host === undefined) throw fault("not_found", "Nothing runs yet that could be called.");
      return await callOperation(text, this.#operations, { host, json, yes });
    } catch (error) {
      if (!AppError.is(error)) throw error;
      printError(error.message);
      return exitCodes.failed;
    }
  }

  /** The plugin's own lines, and what others warn of, each with the name of who says it. */
  #showLine(text: string): void {
    const line = readLogLine(text);
    if (line === undefined) return;
    const isOwn = line.plugin !== "" && line.plugin === this.#service.id;
    if (!isOwn && !isAtLeast(line, "warn")) return;
    const who = styled("dim", `[${visible(line.plugin || "pergola")}]`);
    for (const said of linesOf(line)) process.stderr.write(`${who} ${said}\n`);
  }
}
