import { isDeepStrictEqual } from "node:util";
import type { Connection } from "../connection.ts";
import type { Content, Link } from "../link.ts";
import type { Reach } from "../reach.ts";
import { promptOf, type ServerPrompt } from "./server-prompt.ts";

interface Server {
  readonly connection: Connection;
  /** Throws ToolError. */
  readonly reach: <T>(work: (link: Link) => Promise<T>, reach: Reach) => Promise<T>;
  /** As they are stored; empty where the server is not to be used. */
  readonly stored: () => readonly ServerPrompt[];
  /** They are others than those that are stored. */
  readonly changed: () => Promise<void>;
}

/** The prompts of one server. */
export class PromptList {
  /** As they were listed last by this host. */
  latest: readonly ServerPrompt[] | undefined;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** As they were listed last, and as they are now while the server runs; it is not started for that. */
  async list(): Promise<readonly ServerPrompt[]> {
    const { connection, stored } = this.#server;
    if (connection.state === "open") await this.note(await connection.link(new AbortController().signal));
    return stored();
  }

  /** As they are now. Throws ToolError. */
  read(signal: AbortSignal): Promise<readonly ServerPrompt[]> {
    const work = async (link: Link): Promise<readonly ServerPrompt[]> => {
      await this.note(link);
      return this.latest ?? [];
    };
    return this.#server.reach(work, { effect: "read", signal });
  }

  /** What the server answers for a prompt. Throws ToolError. */
  get(
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly Content[]> {
    const work = ({ texts }: Link): Promise<readonly Content[]> => texts.getPrompt(name, values, signal);
    return this.#server.reach(work, { effect: "read", signal });
  }

  /** A server that cannot list its prompts is used all the same. */
  async note({ kinds, texts }: Link): Promise<void> {
    if (!kinds.prompts) return;
    const listed = await texts.listPrompts().catch(() => undefined);
    if (listed === undefined) return;
    this.latest = listed.map(promptOf);
    if (!isDeepStrictEqual(this.#server.stored(), this.latest)) await this.#server.changed();
  }
}
