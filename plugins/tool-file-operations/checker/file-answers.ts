import type { MessagePort } from "node:worker_threads";
import type { ToolContext } from "@pergola/sdk";
import { decode } from "../text/bytes.ts";
import type { FileReplies, FileRequest } from "./messages.ts";

const largestFile = 4 << 20;

type Answers = { readonly [W in FileRequest["kind"]]: (path: string) => Promise<FileReplies[W]> };

/**
 * Answers the checker's questions about files through the call's own door, so that it sees what the call may
 * see and no more.
 */
export function answerFileRequests(port: MessagePort, flag: SharedArrayBuffer, { files }: ToolContext): void {
  const answers: Answers = {
    list: async (path) => {
      const entries = await files.list(path);
      const folders = entries.map(
        async ({ name, kind }) =>
          [
            name,
            kind === "directory" || (kind === "link" && (await leadsToFolder(`${path}/${name}`))),
          ] as const,
      );
      return Promise.all(folders);
    },
    read: async (path) => decode(await files.read(path, { start: 0, end: largestFile })),
    real: async (path) => (await files.resolve(path)).real,
  };
  const leadsToFolder = (path: string): Promise<boolean> =>
    files.list(path).then(
      () => true,
      () => false,
    );
  const signal = new Int32Array(flag);
  port.on("message", ({ kind, path }: FileRequest) => {
    void answers[kind](path)
      .catch(() => null)
      .then((answer) => {
        port.postMessage(answer);
        Atomics.store(signal, 0, 1);
        Atomics.notify(signal, 0);
      });
  });
}
