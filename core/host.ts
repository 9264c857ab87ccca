import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Clock, Log, PreferenceService, Services, Storage } from "@pergola/sdk";
import { openStores, optionalParts, pick, Redactor } from "@pergola/sdk/host";
import packageJson from "./package.json" with { type: "json" };
import { createHttpServer } from "./http/app.ts";
import { checkDoor } from "./http/check-door.ts";
import { hostInUrl } from "./http/listeners.ts";
import { createLog } from "./log.ts";
import { makeParts } from "./make-parts.ts";
import { discoverPlugins } from "./plugins/discover.ts";
import { pinPlugins } from "./plugins/plugin-lock.ts";
import { Lifecycle, type LifecycleOptions } from "./plugins/lifecycle.ts";
import { Preferences } from "./settings/preferences.ts";
import { makeIdentity, proofOf, type ServiceIdentity } from "./service-proof.ts";
import { readSettings, type SettingsOptions, type SettingsSource } from "./settings/read-settings.ts";
import { StoreHealth } from "./store-health.ts";

export interface HostOptions extends SettingsOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  /** Nothing below an error is logged. */
  readonly quiet?: boolean;
  /**
   * To look at plugins and settings only: data goes to a scratch directory, so a running service is not in
   * the way; what is installed is seen.
   */
  readonly inspecting?: boolean;
  readonly deadlines?: LifecycleOptions["deadlines"];
}

export interface Host {
  readonly services: Services;
  readonly log: Log;
  readonly dataDirectory: string;
  /** What this start proves itself with to the command line. */
  readonly identity: ServiceIdentity;
  /** The user's own, else that of the working directory. */
  readonly settingsFile: string | undefined;
  /** All that are in force, the weakest first. */
  readonly settingsFiles: readonly string[];
  /** What the operator should know of the settings. */
  readonly warnings: readonly string[];
  /** `http://…`; empty before `listen`. */
  readonly url: string;
  listen(at?: { readonly host?: string; readonly port?: number }): Promise<void>;
  /**
   * Interrupts runs, ends connections, stops the plugins in reverse, closes the storage. The port is closed
   * last: until then, clients are told that the service is stopping.
   */
  stop(): Promise<void>;
}

/**
 * Wires a host: settings, plugins, storage, services, HTTP. Rejects when settings or storage are faulty; a
 * faulty plugin is left out.
 */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const scratch = options.inspecting ? await mkdtemp(path.join(tmpdir(), "pergola-")) : undefined;
  const source = await readSettings({ ...options, scratch });
  const { dataDirectory } = source.reader;
  const { clock = Date } = options;
  const discovery = await pinPlugins(discoverPlugins(source), {
    dataDirectory: source.reader.installed,
    timestamp: new Date(clock.now()).toISOString(),
    record: options.inspecting !== true,
  });
  const table = new Preferences(
    source,
    discovery.all.map(({ settings }) => settings),
    discovery.faults.length > 0,
  );
  const redactor = new Redactor();
  redactor.add(table.secretValues());
  const level = (): keyof Log => (options.quiet ? "error" : table.get<keyof Log>("log.level"));
  const {
    log = createLog(level, redactor.redact),
    deadlines = {},
    environment = process.env,
    random = Math.random,
  } = options;
  const lifecycle = new Lifecycle({ discovery, preferences: table, log, clock, deadlines });
  const storage = await openStorage(lifecycle, table, source, log).catch(async (error: unknown) => {
    await lifecycle.stop();
    throw error;
  });
  const stores = openStores(storage);
  const preferences = await lifecycle.part("preferences")({
    table,
    stores,
    learnSecrets: (values) => redactor.add(values),
    check: (values) => checkDoor(lifecycle, values),
    log,
  });
  for (const warning of table.warnings) log.warn({}, warning);
  await lifecycle.collect();
  const { hooks, registry } = lifecycle;
  const { version } = packageJson;
  const parts = makeParts(
    { version, log, clock, hooks, preferences, stores, environment, dataDirectory, random },
    lifecycle,
    redactor,
  );
  const { doors, runs, models } = parts;

  const identity = makeIdentity();
  let stopping = false;
  const begun = performance.now();
  const storeHealth = new StoreHealth(storage);
  const system = {
    version,
    uptime: () => (performance.now() - begun) / 1000,
    get stopping() {
      return stopping;
    },
    storageFault: () => storeHealth.fault(),
    plugins: () => lifecycle.status(),
    prove: (challenge: string, address: string) => proofOf(identity, { challenge, dataDirectory, address }),
    routes: () => registry.routes,
  };
  const services: Services = { ...pick(parts, ...publicParts, ...optionalParts), preferences, system };
  await lifecycle.start({
    services,
    collection: (plugin, name, indexes) => storage.collection(`${plugin}/${name}`, indexes),
  });
  await parts.tools.recover();
  await runs.recover();

  const http = createHttpServer({
    routes: registry.routes,
    services,
    preference: (key) => preferences.get<never>(key),
    authenticate: async (request) => hooks.authenticate(request),
    log,
    stopping: () => stopping,
  });
  let url = "";
  return {
    services,
    log,
    dataDirectory,
    identity,
    settingsFile: source.file?.path,
    settingsFiles: source.layers.map((layer) => layer.path),
    warnings: table.warnings,
    get url() {
      return url;
    },
    async listen({ host = bindAddress(preferences), port = preferences.get<number>("server.port") } = {}) {
      const bound = await http.listen({ host, port });
      url = `http://${host === "0.0.0.0" ? "127.0.0.1" : hostInUrl(host)}:${bound}`;
      const running = lifecycle.status().filter(({ state }) => state === "running");
      // Whoever awaits this has a word for the person first.
      setImmediate(() => log.info({ url, plugins: running.length }, "serving"));
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      try {
        await runs.stop();
        await parts.downloads?.stop();
        await http.drain(5000);
        await lifecycle.stop();
        await models.close();
        await doors.close();
        await storage.close();
      } finally {
        await http.close(500);
      }
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Loads the plugins, and opens the storage of one of them. */
async function openStorage(
  lifecycle: Lifecycle,
  table: Preferences,
  { storage: { type, ...settings }, reader: { dataDirectory } }: SettingsSource,
  log: Log,
): Promise<Storage> {
  await lifecycle.load();
  const doorKeys = ["server.allow_remote", "auth.loopback"];
  checkDoor(lifecycle, Object.fromEntries(doorKeys.map((key) => [key, table.get(key)])));
  const declared = table.list().filter(({ key }) => key === "storage.durability");
  const durability = Object.fromEntries(declared.map(({ value }) => ["durability", value]));
  return lifecycle.openStorage(type, { ...durability, ...settings }, { dataDirectory, log });
}

/** The parts that endpoints and cross-cutting plugins may use. */
const publicParts = ["conversations", "runs", "approvals", "models", "results", "tools"] as const;

function bindAddress(preferences: PreferenceService): string {
  if (preferences.get<boolean>("server.allow_remote")) return preferences.get<string>("server.host");
  return "127.0.0.1";
}
