import type { Readable, Writable } from "node:stream";
import { exitCodes } from "./exit-codes.ts";
import { importCommand } from "./plugin-command.ts";
import { readEvents } from "./read-events.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";
import { takeOutput } from "./take-output.ts";

/** What the plugin that speaks the protocol exports; its own types say more of the chunks. */
interface Bridge {
  readonly serve: (serving: {
    readonly service: {
      readonly isElsewhere: boolean;
      send<T>(method: string, path: string, body?: object): Promise<T>;
      stream(path: string, body: object, signal: AbortSignal): AsyncIterable<unknown>;
    };
    readonly input: Readable;
    readonly output: Writable;
    readonly signal: AbortSignal;
  }) => Promise<void>;
}

/** Chunks of a stream; rejects with AppError where the service refuses. */
async function* stream(
  service: Service,
  address: string,
  body: object,
  signal: AbortSignal,
): AsyncIterable<unknown> {
  const answer = await service.call("POST", address, body, signal);
  if (!answer.ok) await jsonOf(answer);
  yield* readEvents(answer);
}

interface AcpOptions extends CommonOptions {
  /** In place of serving. */
  readonly setup?: boolean;
}

/** Serves the editor that has started this process, until it closes the input. */
export async function acp({ setup = false, ...options }: AcpOptions): Promise<number> {
  if (setup) return (await import("./set-up.ts")).setUp(options);
  const output = takeOutput();
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
  const { serve } = await importCommand<Bridge>("acp", options);
  await withService(options, (service) =>
    serve({
      service: {
        isElsewhere: options.url !== undefined,
        send: (method, address, body) => service.send(method, address, body),
        stream: (address, body, signal) => stream(service, address, body, signal),
      },
      input: process.stdin,
      output,
      signal: ending.signal,
    }),
  );
  return exitCodes.ok;
}
