import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { KeyedQueue } from "@pergola/sdk";
import type { TextKinds } from "./link.ts";
import type { McpTool } from "./mcp-tool.ts";
import type { ServerPrompt } from "./prompts/server-prompt.ts";
import type { Launch } from "./server-settings.ts";

/** What the person has approved of a server, and what was seen of it last. */
export interface KnownServer {
  readonly launch: Launch | null;
  /** The descriptions as they were approved. */
  readonly tools: readonly McpTool[];
  /** Names of approved tools that the server has changed or taken away since. */
  readonly changed: readonly string[];
  /** Names of tools that nobody has approved yet. */
  readonly fresh: readonly string[];
  /** What it had beside tools when it was met last. */
  readonly kinds?: TextKinds;
  /** Its prompts as they were listed last. */
  readonly prompts?: readonly ServerPrompt[];
  /** All tools as they were listed last, where that is not what was approved. */
  readonly seen?: readonly McpTool[];
}

const isKnownServer = (value: Partial<KnownServer> | null): value is KnownServer =>
  Array.isArray(value?.tools) &&
  Array.isArray(value.changed) &&
  Array.isArray(value.fresh) &&
  "launch" in value;

/**
 * One file for each server, below the service's own data, which no tool can reach. They are files, since
 * tools are collected before the storage is open.
 */
export class KnownServers {
  readonly #folder: string;
  readonly #turns = new KeyedQueue();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined for a server that was never met. A file that cannot be read approves nothing. */
  async read(server: string): Promise<KnownServer | undefined> {
    const text = await readFile(this.#fileOf(server), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    return text === undefined ? undefined : parse(text);
  }

  write(server: string, known: KnownServer): Promise<void> {
    return this.#turns.run(server, async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const temporary = `${this.#fileOf(server)}.new`;
      await writeFile(temporary, JSON.stringify(known, undefined, 1), { mode: 0o600, flush: true });
      await rename(temporary, this.#fileOf(server));
    });
  }

  /** The server is a stranger again. */
  async forget(server: string): Promise<void> {
    await rm(this.#fileOf(server), { force: true });
  }

  #fileOf(server: string): string {
    return path.join(this.#folder, `${server}.json`);
  }
}

function parse(text: string): KnownServer {
  const nothing: KnownServer = { launch: null, tools: [], changed: [], fresh: [] };
  try {
    const value = JSON.parse(text) as Partial<KnownServer> | null;
    return isKnownServer(value) ? value : nothing;
  } catch {
    return nothing;
  }
}
