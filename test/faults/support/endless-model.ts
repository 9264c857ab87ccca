import { fork } from "node:child_process";
import { once } from "node:events";
import os from "node:os";

/** What the newest user message asks of the model. */
export interface EndlessPlan {
  readonly field?: "content" | "reasoning_content" | "arguments";
  /** Characters of one delta. */
  readonly delta?: number;
  /** Bytes after which the answer ends by itself; absent: never. */
  readonly bytes?: number;
  /** The unit that is repeated. */
  readonly unit?: string;
  /** Milliseconds between two deltas; absent: as fast as they are read. */
  readonly pause?: number;
  /** No event ever ends: one line without end. */
  readonly line?: boolean;
}

export interface EndlessModel {
  readonly baseUrl: string;
  /** Characters of answers that were handed to the network so far. */
  sent(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A model that answers without end, as fast as it is read. Its processor time is its own: that it takes what
 * the tested service leaves is what makes it a program on another machine.
 */
export async function endlessModel(): Promise<EndlessModel> {
  const child = fork(new URL("endless-model.main.ts", import.meta.url), {
    execArgv: ["--import=tsx", "--conditions=source"],
  });
  os.setPriority(child.pid!, os.constants.priority.PRIORITY_LOW);
  const [port] = (await once(child, "message")) as [number];
  const url = `http://127.0.0.1:${port}`;
  return {
    baseUrl: `${url}/v1`,
    sent: async () => {
      const { sent } = (await (await fetch(`${url}/sent`)).json()) as { readonly sent: number };
      return sent;
    },
    close: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
