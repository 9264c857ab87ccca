import { randomUUID } from "node:crypto";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { ToolContext } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** A file or folder that a program made under a protected name, out of the way of other programs. */
export interface HeldFile {
  readonly from: string;
  readonly to: string;
}

/** Also from one file system to another. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rm(from, { recursive: true, force: true });
  });
}

/**
 * What the programs of one call made under protected names. It is moved beside the record of the call's
 * changes as soon as its program has ended, since other programs would execute or trust it.
 */
export class AppearedFiles {
  readonly #parts: Parts;
  readonly #callId: string;
  readonly #held: HeldFile[] = [];

  constructor(parts: Parts, callId: string) {
    this.#parts = parts;
    this.#callId = callId;
  }

  get held(): readonly HeldFile[] {
    return this.#held;
  }

  async hold(files: readonly string[]): Promise<void> {
    const folder = path.join(this.#parts.dataDirectory, "changes", "held", this.#callId);
    for (const from of files) {
      const to = path.join(folder, randomUUID(), path.basename(from));
      await move(from, to);
      this.#held.push({ from, to });
      this.#parts.log.warn(
        { call: this.#callId, from, to },
        "a program made what others trust; it was moved",
      );
    }
  }

  /** Puts everything back where its program made it. */
  async restore(): Promise<void> {
    for (const { from, to } of this.#held.splice(0)) await move(to, from);
  }

  /** The same ways to start programs; what they make under protected names is held. */
  watch({ spawn, prepare }: Pick<ToolContext, "spawn" | "prepare">): Pick<ToolContext, "spawn" | "prepare"> {
    return {
      spawn: async (...args) => {
        const result = await spawn(...args);
        await this.hold(result.appeared ?? []);
        return result;
      },
      prepare: async (...args) => {
        const line = await prepare(...args);
        const release = async (): Promise<readonly string[]> => {
          const files = await line.release();
          await this.hold(files);
          return files;
        };
        return { ...line, release };
      },
    };
  }
}
