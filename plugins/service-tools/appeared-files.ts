import type { ToolContext } from "@pergola/sdk";
import type { HeldFile } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import type { Origin } from "./held-files.ts";

/**
 * What appeared under protected names while the programs of one call ran. It is moved away as soon as its
 * program has ended, since other programs would execute or trust it.
 */
export class AppearedFiles {
  readonly #bench: Bench;
  readonly #origin: Origin;
  readonly #held: HeldFile[] = [];

  constructor(bench: Bench, origin: Origin) {
    this.#bench = bench;
    this.#origin = origin;
  }

  get held(): readonly HeldFile[] {
    return this.#held;
  }

  /** Gives back what was moved: what somebody else has made since the program began stays. */
  async #hold(files: readonly string[], since: number): Promise<readonly string[]> {
    const moved: HeldFile[] = [];
    for (const file of files) {
      if (await this.#bench.heldFiles.isOthers(file, since)) continue;
      const held = await this.#bench.heldFiles.hold(file, this.#origin);
      if (held !== undefined) moved.push(held);
    }
    this.#held.push(...moved);
    return moved.map(({ path }) => path);
  }

  /** The same ways to start programs; what appears under protected names meanwhile is held. */
  watch({ spawn, prepare }: Pick<ToolContext, "spawn" | "prepare">): Pick<ToolContext, "spawn" | "prepare"> {
    const now = (): number => this.#bench.clock.now();
    return {
      spawn: async (...args) => {
        const since = now();
        const { appeared = [], ...result } = await spawn(...args);
        const moved = await this.#hold(appeared, since);
        return moved.length === 0 ? result : { ...result, appeared: moved };
      },
      prepare: async (...args) => {
        const since = now();
        const line = await prepare(...args);
        return { ...line, release: async () => this.#hold(await line.release(), since) };
      },
    };
  }
}
