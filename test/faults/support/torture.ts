import { request as ask } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { Service } from "./service.ts";

const preload = pathToFileURL(path.join(import.meta.dirname, "torture.preload.mjs")).href;

/** What the service's process tells of itself, see torture.preload.mjs. */
export interface TortureState {
  /** Calls since it was armed. */
  readonly count: number;
  /** The call that failed; "" when none did. */
  readonly fired: string;
  readonly descriptors: number;
  /** What keeps the process alive, by kind. */
  readonly held: Readonly<Record<string, number>>;
}

/** A service in which one chosen call to the system fails. */
export interface Torture {
  /** From now on calls are numbered from 1; the one of this number fails. */
  arm(at: number): Promise<void>;
  disarm(): Promise<void>;
  state(): Promise<TortureState>;
}

/** Starts the service with its calls to the system wrapped. */
export async function startTortured(service: Service): Promise<Torture> {
  const socketPath = path.join(temporaryFolder(), "torture");
  await service.start({
    environment: { TORTURE_SOCKET: socketPath, NODE_OPTIONS: `--import=${preload}` },
  });
  const send = (route: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = ask({ socketPath, path: route, agent: false }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        answer.on("end", () => resolve(text));
      });
      sent.on("error", reject).end();
    });
  return {
    arm: async (at) => void (await send(`/arm?at=${at}`)),
    disarm: async () => void (await send("/arm?off=1")),
    state: async () => JSON.parse(await send("/state")) as TortureState,
  };
}
