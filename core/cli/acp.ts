import { Writable, type Readable } from "node:stream";
import { findPluginCommand } from "./find-plugin-command.ts";
import { readEvents } from "./read-events.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";

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

const command = { name: "acp", package: "@pergola/bridge-acp" };

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

/** Where the protocol's lines go: nothing else may be written there, by whatever runs in this process. */
function takeOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    write: (bytes: Uint8Array, _, written) => void write(bytes, (error) => written(error)),
  });
}

/** Serves the editor that has started this process, until it closes the input. */
export async function acp(options: CommonOptions): Promise<void> {
  const output = takeOutput();
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
  const { serve } = (await findPluginCommand(options, command)) as Bridge;
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
}
