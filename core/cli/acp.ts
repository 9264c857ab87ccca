import { createRequire } from "node:module";
import path from "node:path";
import { Writable, type Readable } from "node:stream";
import { importFile } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { discoverPlugins } from "../plugins/discover.ts";
import { readSettings } from "../settings/read-settings.ts";
import { readEvents } from "./read-events.ts";
import { jsonOf, settingsOf, withService, type CommonOptions, type Service } from "./service.ts";

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

/**
 * Only Pergola's own, for it runs in this process, with all that the owner may. Throws AppError `not_found`
 * where it is left out, or switched off.
 */
async function findBridge(options: CommonOptions): Promise<Bridge> {
  const { all } = discoverPlugins(await readSettings({ ...settingsOf(options), secretsMayMiss: true }));
  const found = all.find(({ source, provides }) => source === "own" && provides.commands?.includes("acp"));
  if (found === undefined)
    throw fault("not_found", "No plugin has this command. Install one: npm install @pergola/bridge-acp");
  if (found.disabled) throw fault("not_found", `The plugin ${found.id} is off. Take it out of disabled.`);
  const { resolve } = createRequire(path.join(found.folder, "package.json"));
  return importFile(resolve(`${found.package}/commands/acp`)) as Promise<Bridge>;
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
  const { serve } = await findBridge(options);
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
