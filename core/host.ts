import { mkdtemp, rm, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import {
  AppError,
  StreamRedactor,
  type Caller,
  type Clock,
  type Json,
  type JsonObject,
  type Log,
  type RedactionLevel,
  type Services,
} from "@pergola/sdk";
import packageJson from "./package.json" with { type: "json" };
import { createHttpServer } from "./http/app.ts";
import { createLog, Redactor } from "./log.ts";
import type { Parts } from "./parts.ts";
import { discoverPlugins, type Discovery } from "./plugins/discover.ts";
import { Lifecycle, type LifecycleOptions } from "./plugins/lifecycle.ts";
import { Preferences } from "./settings/preferences.ts";
import { readSettings, type SettingsOptions } from "./settings/read-settings.ts";
import { Approvals } from "./workflow/approvals.ts";
import { Conversations } from "./workflow/conversations.ts";
import { Grants } from "./workflow/grants.ts";
import { HandCalls } from "./workflow/hand-calls.ts";
import { Models } from "./workflow/models.ts";
import { openProviders } from "./workflow/providers.ts";
import { Results } from "./workflow/results.ts";
import { Runs } from "./workflow/runs.ts";
import { openStores } from "./workflow/stores.ts";
import { Toolbox } from "./workflow/toolbox.ts";

export interface HostOptions extends SettingsOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Log;
  /** Nothing below an error is logged. */
  readonly quiet?: boolean;
  /** To look at plugins and settings only: data goes to a scratch directory, so a running service is not in the way. */
  readonly inspecting?: boolean;
  readonly deadlines?: LifecycleOptions["deadlines"];
}

export interface Host {
  readonly services: Services;
  readonly log: Log;
  readonly dataDirectory: string;
  readonly settingsFile: string | undefined;
  /** What the operator should know of the settings. */
  readonly warnings: readonly string[];
  /** `http://…`; empty before `listen`. */
  readonly url: string;
  listen(at?: { readonly host?: string; readonly port?: number }): Promise<void>;
  /** Interrupts runs, ends connections, stops the plugins in reverse, closes the storage. */
  stop(): Promise<void>;
}

/** Wires a host: settings, plugins, storage, services, HTTP. Rejects when settings or storage are faulty; a faulty plugin is left out. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const scratch = options.inspecting === true ? await mkdtemp(path.join(tmpdir(), "pergola-")) : undefined;
  const source = await readSettings({ ...options, ...(scratch === undefined ? {} : { data: scratch }) });
  const { dataDirectory } = source.reader;
  const discovery = discoverPlugins(source);
  const preferences = new Preferences(
    source,
    discovery.all.map(({ settings }) => settings),
    discovery.faults.length > 0,
  );
  refuseOpenRemote(preferences, discovery);
  const redactor = new Redactor();
  redactor.add(preferences.secretValues());
  const log = options.log ?? createLog(options.quiet === true ? "error" : preferences.get<"info">("log.level"), redactor.redact);
  const clock = options.clock ?? { now: () => Date.now() };
  const lifecycle = new Lifecycle({ discovery, preferences, log, clock, deadlines: options.deadlines ?? {} });
  await lifecycle.load();
  for (const warning of preferences.warnings) log.warn({}, warning);

  const parts = {} as { -readonly [K in keyof Parts]: Parts[K] };
  const has = (key: string): boolean => preferences.list().some((one) => one.key === key);
  const basics = { clock, log, hooks: lifecycle.hooks, preferences, random: options.random ?? Math.random };
  Object.assign(parts, basics, {
    doors: lifecycle.registry.part("doors")({ dataDirectory, clock, preference: (key) => (has(key) ? preferences.get(key) : undefined) }),
    ...helpers(parts, dataDirectory, redactor),
  });
  const { type, ...storageSettings } = source.storage;
  const durability = has("storage.durability") ? { durability: preferences.get("storage.durability") } : {};
  const storage = await lifecycle.storage(type).open({ ...durability, ...storageSettings } as JsonObject, { dataDirectory, log });
  parts.stores = openStores(storage);
  parts.models = new Models(parts, openProviders(parts, lifecycle.registry.providers, options.environment ?? process.env));
  parts.tools = new Toolbox(parts, lifecycle.registry.tools);
  parts.conversations = new Conversations(parts);
  parts.approvals = new Approvals(parts);
  parts.grants = new Grants(parts);
  parts.results = new Results(parts);
  parts.hand = new HandCalls(parts);
  parts.runs = new Runs(parts);

  let stopping = false;
  const begun = performance.now();
  const { conversations, runs, approvals, models, results, hand: tools } = parts;
  const system = {
    version: packageJson.version,
    uptime: () => (performance.now() - begun) / 1000,
    get stopping() {
      return stopping;
    },
    plugins: () => lifecycle.status(),
    routes: () => lifecycle.registry.routes,
  };
  const services: Services = { conversations, runs, approvals, models, results, tools, preferences, system };
  await lifecycle.start({ services, collection: (plugin, name, indexes) => storage.collection(`${plugin}/${name}`, indexes) });
  await parts.tools.probe(AbortSignal.timeout(10_000));
  await parts.runs.recover();
  await parts.hand.recover();

  const http = createHttpServer({
    routes: lifecycle.registry.routes,
    services,
    preference: (key) => preferences.get<never>(key),
    authenticate: async (request) => lifecycle.hooks.authenticate(request),
    log,
    stopping: () => stopping,
  });
  let url = "";
  return {
    services,
    log,
    dataDirectory,
    settingsFile: source.file?.path,
    warnings: preferences.warnings,
    get url() {
      return url;
    },
    async listen({ host = bindAddress(preferences), port = preferences.get<number>("server.port") } = {}) {
      const bound = await http.listen({ host, port });
      url = `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${bound}`;
      log.info({ url, plugins: lifecycle.status().filter(({ state }) => state === "running").length }, "serving");
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      await parts.runs.stop();
      if (url !== "") await http.close(5000);
      await lifecycle.stop();
      await parts.models.close();
      await parts.doors.close();
      await storage.close();
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Nobody outside this computer is served without having to prove who calls. */
function refuseOpenRemote(preferences: Preferences, { plugins }: Discovery): void {
  if (!preferences.get<boolean>("server.allow_remote") || plugins.some(({ provides }) => provides.hooks?.includes("authenticate"))) return;
  const message =
    "server.allow_remote needs a plugin that checks tokens (hook authenticate); install one, or switch server.allow_remote off.";
  throw new AppError({ code: "invalid_value", message, param: "server.allow_remote" });
}

const bindAddress = (preferences: Preferences): string =>
  preferences.get<boolean>("server.allow_remote") ? preferences.get<string>("server.host") : "127.0.0.1";

/** Every text in a value changed. */
function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

function helpers(parts: Parts, dataDirectory: string, redactor: Redactor): Partial<Parts> {
  const level = (): RedactionLevel => parts.preferences.get("output.redaction");
  const redactOutput = (text: string): string => redactor.redact(text, level());
  return {
    timestamp: () => new Date(parts.clock.now()).toISOString(),
    redact: (text) => redactor.redact(text),
    redactJson: (value) => mapTexts(value, (text) => parts.redact(text)) as typeof value,
    redactOutput: (said) => mapTexts(said, redactOutput) as typeof said,
    redactStream: () => new StreamRedactor(redactOutput, (text) => redactor.unfinishedAt(text, level())),
    errorOf: (error, where) => {
      if (AppError.is(error)) return error;
      parts.log.error({ ...where, error }, "unexpected fault");
      return new AppError({
        code: "internal_error",
        message: "Something went wrong inside the service; its log has the details.",
        cause: error,
      });
    },
    workspaceBase: () => parts.preferences.get<string>("workspace.base_path") || path.join(dataDirectory, "workspaces"),
    checkWorkingDirectory: (folder, caller) => checkWorkingDirectory(parts, folder, caller, dataDirectory),
  };
}

const inside = (folder: string, file: string): boolean =>
  !path.relative(folder, file).startsWith("..") && !path.isAbsolute(path.relative(folder, file));

async function checkWorkingDirectory(parts: Parts, folder: string, { remote }: Caller, dataDirectory: string): Promise<void> {
  const refuse = (why: string): AppError =>
    new AppError({ code: "invalid_value", message: `The working directory ${why}.`, param: "working_directory" });
  if (!path.isAbsolute(folder) || folder.includes("\0")) throw refuse("must be an absolute path");
  const full = path.resolve(folder);
  if (full === path.parse(full).root) throw refuse("must not be the root directory");
  if (full === dataDirectory || (inside(dataDirectory, full) && !inside(path.join(dataDirectory, "workspaces"), full)))
    throw refuse("must not be the service's data directory");
  const roots = [parts.workspaceBase(), ...parts.preferences.get<readonly string[]>("workspace.allowed_roots")].map((root) =>
    root.replace(/^~(?=\/|$)/, homedir()),
  );
  if (remote && !roots.some((root) => inside(root, full))) throw refuse("must lie below workspace.base_path or workspace.allowed_roots");
  const found = await stat(full).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw refuse("is not a directory");
}
