import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Clock, JsonObject, Log, Services } from "@pergola/sdk";
import type { StandIns } from "@pergola/sdk/host";
import { temporaryFolder } from "./temporary-folder.ts";

/** What a test needs of a host. */
export interface TestHost {
  readonly url: string;
  readonly services: Services;
  readonly dataDirectory: string;
  /** A request with a JSON body, if any. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The same, its answer read as JSON. */
  json<T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: T }>;
  /** Stops the host and starts another on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestHostOptions {
  /**
   * Packages or folders; those that are not official run in a process of their own unless the entry says
   * `isolation: trusted`. Default: the standard bundle.
   */
  readonly plugins?: readonly (string | JsonObject)[];
  /** The rest of the settings file; `storage` is `sqlite` in a fresh folder unless it is given. */
  readonly settings?: JsonObject;
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Kept after `stop` when given. */
  readonly dataDirectory?: string;
  /** Providers and tools in the place of real ones. */
  readonly standIns?: StandIns;
}

interface HostPackage {
  readonly createHost: (options: object) => Promise<{
    readonly url: string;
    readonly services: Services;
    listen(at: object): Promise<void>;
    stop(): Promise<void>;
  }>;
}

/** Found at run time, as the host finds plugins: the kit does not depend on it. */
const hostPackage = "pergola";

/** Starts a real host on a free loopback port with fresh data. */
export async function startTestHost({
  plugins,
  settings = {},
  environment = {},
  clock,
  log,
  dataDirectory,
  standIns,
}: TestHostOptions = {}): Promise<TestHost> {
  const { createHost } = (await import(hostPackage)) as HostPackage;
  const folder = dataDirectory ?? temporaryFolder();
  const file = path.join(folder, "..", `${path.basename(folder)}.pergola.json`);
  await writeFile(file, JSON.stringify({ ...settings, ...(plugins === undefined ? {} : { plugins }) }));
  const options = {
    file,
    data: folder,
    environment,
    home: folder,
    cwd: folder,
    quiet: true,
    unpinned: "all",
    ...(clock === undefined ? {} : { clock }),
    ...(log === undefined ? {} : { log }),
    ...(standIns === undefined ? {} : { standIns }),
  };
  const open = async () => {
    const host = await createHost(options);
    await host.listen({ host: "127.0.0.1", port: 0 });
    return host;
  };
  let host = await open();
  const request: TestHost["request"] = (method, route, body, headers = {}) =>
    fetch(host.url + route, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    get url() {
      return host.url;
    },
    get services() {
      return host.services;
    },
    dataDirectory: folder,
    request,
    json: async <T>(method: string, route: string, body?: unknown) => {
      const answer = await request(method, route, body);
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T };
    },
    restart: async () => {
      await host.stop();
      host = await open();
    },
    stop: async () => {
      await host.stop();
      await rm(file, { force: true });
      if (dataDirectory === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
