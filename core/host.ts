import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defined, type Caller, type Clock, type Log, type PluginStatus, type Services } from "@pergola/sdk";
import {
  fencedCollection,
  openStores,
  optionalParts,
  pick,
  Redactor,
  type AccessKeeper,
  type Sandbox,
  type StandIns,
} from "@pergola/sdk/host";
import packageJson from "./package.json" with { type: "json" };
import { openCluster } from "./cluster/cluster.ts";
import { openDoctor } from "./doctor/open-doctor.ts";
import { checkDoor } from "./http/check-door.ts";
import type { Place } from "./http/listeners.ts";
import { checkListening, planListening } from "./http/listening-plan.ts";
import { localUrl, remoteUrls } from "./http/own-addresses.ts";
import { createLog } from "./log.ts";
import { makeParts } from "./make-parts.ts";
import { discoverPlugins, type FoundPlugin } from "./plugins/discover.ts";
import { openManifestIndex } from "./plugins/manifest-index.ts";
import { prepareToolFiles } from "./plugins/prepare-tool-files.ts";
import { openSupply } from "./plugins/open-supply.ts";
import { compareFiles, pinPlugins, type Unpinned } from "./plugins/pin-plugins.ts";
import type { Registry } from "./plugins/registry.ts";
import { switchPlugin } from "./plugins/switch-plugin.ts";
import { Lifecycle } from "./plugins/lifecycle.ts";
import { isDescribed } from "./plugins/trusted-plugins.ts";
import type { LifecycleOptions } from "./plugins/lifecycle-options.ts";
import { homeFolder } from "./settings/folders.ts";
import { Preferences } from "./settings/preferences.ts";
import { isSameProof, makeIdentity, ownerProofOf, proofOf, type ServiceIdentity } from "./service-proof.ts";
import { openSecrets } from "./open-secrets.ts";
import { openStorage, prepareStorage } from "./open-storage.ts";
import { readSettings, type PluginEntry, type SettingsOptions } from "./settings/read-settings.ts";
import { StoreHealth } from "./store-health.ts";

export interface HostOptions extends SettingsOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  /** Gets the finished lines where `log` is absent; default: stderr. */
  readonly writeLog?: (line: string, dataDirectory: string) => void;
  /** Nothing below an error is logged. */
  readonly quiet?: boolean;
  /**
   * To look at plugins and settings only: data goes to a scratch directory, so a running service is not in
   * the way; what is installed is seen.
   */
  readonly inspecting?: boolean;
  readonly deadlines?: LifecycleOptions["deadlines"];
  /** Plugins beside those of the settings: to look at them before they are added. */
  readonly candidates?: readonly PluginEntry[];
  /** The only single files with a tool, in the place of those that are found. */
  readonly toolFiles?: readonly string[];
  /** Plugins of others that need no approval: those that are looked at, and all of a test's. */
  readonly unpinned?: Unpinned;
  /** Of a test. */
  readonly standIns?: StandIns;
}

export interface Host {
  readonly services: Services;
  /** What the plugins have brought. */
  readonly brought: Pick<Registry, "tools" | "routes" | "storages">;
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
  /** The addresses for other devices, the best first; empty before `listen`, and without remote access. */
  readonly remoteUrls: readonly string[];
  /** Tokens and one-time codes; undefined where no plugin checks tokens. */
  readonly access: AccessKeeper | undefined;
  readonly sandbox: Sandbox;
  /** Whether a request is not answered yet. */
  readonly isAnswering: () => boolean;
  /** The plugins that may be left out or run in an earlier version: no others need to be looked at. */
  doubtfulPlugins(): readonly PluginStatus[];
  /** Listens at the given host alone, or wherever the settings say. */
  listen(at?: Partial<Place>): Promise<void>;
  /**
   * Interrupts runs, ends connections, stops the plugins in reverse, closes the storage. The port is closed
   * last: until then, clients are told that the service is stopping.
   */
  stop(): Promise<void>;
}

/** Milliseconds after the start in which nothing is done that can wait. */
const settling = 1000;

/**
 * Wires a host: settings, plugins, storage, services, HTTP. Rejects when settings or storage are faulty; a
 * faulty plugin is left out.
 */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const scratch = options.inspecting ? await mkdtemp(path.join(tmpdir(), "pergola-")) : undefined;
  const source = await readSettings({ ...options, scratch });
  const { reader } = source;
  const { dataDirectory } = reader;
  // An object of this host's own, by which plugins tell it from others in the process.
  const clock: Clock = { now: () => (options.clock ?? Date).now() };
  const supply = openSupply(source, options);
  const tools = await prepareToolFiles(options, supply);
  const index = options.inspecting ? undefined : openManifestIndex(dataDirectory);
  const sources = { lock: supply.lock, files: tools.plugins, index, ...pick(options, "candidates") };
  const found = discoverPlugins(source, sources);
  // A fault of its plugin is told where it is loaded.
  void prepareStorage(found, source.storage.type).catch(() => undefined);
  // A process of its own is compared with what was approved before it is started.
  const canWait = (plugin: FoundPlugin): boolean =>
    plugin.tier === "isolated" ? !options.inspecting : isDescribed(plugin, supply.lock, index);
  const all = { ...found, faults: [...found.faults, ...tools.faults] };
  const { waiting, ...discovery } = await pinPlugins(all, supply, canWait);
  // The part that keeps secrets is not there yet: what refers to them is read again when it is.
  const table = new Preferences(
    { ...source, reader: { ...reader, secretsMayMiss: true } },
    discovery.all.map(({ settings }) => settings),
    discovery.faults.length > 0,
  );
  const redactor = new Redactor();
  redactor.add(table.secretValues());
  const level = (): keyof Log => (options.quiet ? "error" : table.get<keyof Log>("log.level"));
  const { writeLog, deadlines = {}, random = Math.random } = options;
  const write = writeLog && ((line: string) => writeLog(line, dataDirectory));
  const { log = createLog(level, redactor.redact, write) } = options;
  const lifecycle = new Lifecycle({
    discovery,
    preferences: table,
    log,
    clock,
    dataDirectory,
    supply,
    index,
    redact: redactor.redact,
    deadlines,
  });
  const stopped = (error: unknown): Promise<never> =>
    lifecycle.stop().then(() => Promise.reject(error as Error));
  const { keeper, ...opened } = await openSecrets(lifecycle, table, source, { ...options, log }).catch(
    stopped,
  );
  const { environment } = opened.reader;
  redactor.add(table.secretValues());
  const opening = openStorage(lifecycle, table, opened, log);
  // A good part of a start, which the thread of a storage needs too.
  const [storage, { createHttpServer }] = await Promise.all([opening, import("./http/app.ts")]).catch(
    stopped,
  );
  const stores = openStores(storage);
  const preferences = await lifecycle.part("preferences")({
    table,
    stores,
    learnSecrets: (values) => redactor.add(values),
    check: (values) => checkDoor(lifecycle, values),
    log,
  });
  preferences.guard((changes) => checkListening(preferences, changes));
  const warnings = [...table.warnings, ...tools.warnings];
  for (const warning of warnings) log.warn({}, warning);
  await lifecycle.collect();
  const { hooks, registry } = lifecycle;
  const { version } = packageJson;
  const sandbox = await lifecycle.early.sandbox();
  let bound: readonly number[] = [];
  const ownPorts = (): readonly number[] => bound;
  const surroundings = { environment, home: homeFolder(options), dataDirectory, ownPorts, random };
  const kept = defined({ secrets: keeper });
  const parts = makeParts(
    { version, log, clock, hooks, preferences, stores, sandbox, ...surroundings, ...kept },
    lifecycle,
    redactor,
    options.standIns,
  );
  const { doors, runs, models } = parts;

  const identity = makeIdentity();
  const ownerProof = ownerProofOf(identity);
  let stopping = false;
  let comparing: NodeJS.Timeout | undefined;
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
    watchPlugins: (changed: () => void) => lifecycle.faults.watch(changed),
    enablePlugin: async (id: string, enabled: boolean, caller: Caller) => {
      const { disabled } = source;
      switchPlugin(id, enabled, { ...supply, discovery, disabled, clock, caller });
      if (enabled) await lifecycle.retry(id);
    },
    prove: (challenge: string, address: string) => proofOf(identity, { challenge, dataDirectory, address }),
    routes: () => registry.routes,
  };
  const seen = {
    sandbox,
    warnings,
    settingsFile: source.file?.path,
    settingsFiles: source.layers.map((layer) => layer.path),
  };
  const services: Services = {
    ...pick(parts, ...publicParts, ...optionalParts),
    preferences,
    system,
    doctor: openDoctor(source, parts, () => ({ ...seen, services })),
  };
  await lifecycle.start({
    services,
    collection: (plugin, name, indexes, conversationId = "") =>
      fencedCollection(stores, { name: `${plugin}/${name}`, ...indexes }, runs.fenceIn(conversationId)),
  });
  await parts.tools.recover();
  await runs.recover();

  const cluster = openCluster(parts);
  const http = createHttpServer({
    cluster,
    routes: registry.routes,
    services,
    preference: (key) => preferences.get<never>(key),
    authenticate: async (request) => hooks.authenticate(request),
    access: () => parts.access,
    isOwnerProof: (credential) => isSameProof(credential, ownerProof),
    log,
    version,
    stopping: () => stopping,
  });
  parts.access?.watchEnds((tokenId) => http.endAnswersOf(tokenId));
  let url = "";
  let remote: readonly string[] = [];
  return {
    services,
    brought: registry,
    log,
    dataDirectory,
    identity,
    ...seen,
    isAnswering: http.isAnswering,
    access: parts.access,
    doubtfulPlugins: () =>
      lifecycle.status(({ id, tier }) => tier === "isolated" || lifecycle.faults.has(id)),
    get url() {
      return url;
    },
    get remoteUrls() {
      return remote;
    },
    async listen({ host, port = preferences.get<number>("server.port") } = {}) {
      const plan = planListening(preferences, port, host);
      const ports = await http.listen(plan);
      bound = [ports.plain, ports.tls, ports.ollama].filter((each) => each !== undefined);
      url = localUrl(plan, ports);
      remote = remoteUrls(plan, ports);
      await cluster?.announce(remote[0] ?? url);
      const running = discovery.all.filter(({ id, disabled }) => !disabled && !lifecycle.faults.has(id));
      // Whoever awaits this has a word for the person first.
      setImmediate(() => log.info({ url, plugins: running.length }, "serving"));
      index?.keep();
      comparing = setTimeout(() => void compareFiles(waiting, supply, lifecycle.broken), settling).unref();
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      clearTimeout(comparing);
      try {
        await runs.stop();
        parts.events?.stop();
        await parts.downloads?.stop();
        await http.drain(5000);
        await lifecycle.stop();
        cluster?.close();
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

/** What endpoints and cross-cutting plugins may use. */
const publicParts = ["conversations", "runs", "approvals", "models", "results", "tools"] as const;
