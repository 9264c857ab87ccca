import { realpathSync } from "node:fs";
import path from "node:path";
import { didYouMean } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { Preferences } from "../settings/preferences.ts";
import { readSettings } from "../settings/read-settings.ts";
import { ask, type Answer } from "./ask.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";
import { findService, type FoundService } from "./find-service.ts";
import { printNote } from "./print-result.ts";
import { Service } from "./service.ts";
import { unreachable } from "./unreachable.ts";

export interface TargetOptions extends CommonOptions {
  readonly model?: string;
}

/** A model that the service offers; without facts where nobody knows them. Sizes in tokens. */
interface OfferedModel {
  readonly id: string;
  readonly facts?: {
    readonly contextTokens: number;
    readonly outputTokens: number;
    readonly callsTools: boolean;
    readonly seesPictures: boolean;
  };
}

/** What a client is told of the service. */
export interface Target {
  readonly url: string;
  readonly model: string;
  /** That one, and then the others. */
  readonly models: readonly OfferedModel[];
  readonly program: readonly string[];
  readonly isOnPath: boolean;
  readonly options: readonly string[];
  readonly token?: { readonly variable: string; readonly file?: string };
}

/** What other programs are told of the service that runs, or that the settings describe. Starts none. */
export async function connectTarget(options: TargetOptions): Promise<Target> {
  const { found } = await findService(options);
  const file = options.tokenFile && path.resolve(options.tokenFile);
  const { wantsToken, ...known } = found ? await lookAt(found, options) : await lookInSettings(options);
  return {
    ...known,
    program: [process.execPath, realpathSync(process.argv[1] ?? "")],
    isOnPath: isOnPath(),
    options: optionsOf(options, file),
    ...(wantsToken && { token: { variable: "PERGOLA_AUTH_TOKEN", ...(file !== undefined && { file }) } }),
  };
}

interface Known extends Pick<Target, "url" | "model" | "models"> {
  readonly wantsToken: boolean;
}

/** A service that runs: it is asked for its models, and once as a client without a token would ask. */
async function lookAt({ url, ...known }: FoundService, options: TargetOptions): Promise<Known> {
  const anonymous = await ask(`${url}/api/models`).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  anonymous.body.resume();
  const wantsToken = anonymous.status === 401 || anonymous.status === 403;
  const service = new Service(options, { url, ...known });
  await service.open();
  try {
    const listed = await listedModels(service);
    if (options.model !== undefined) await checkModel(service, options.model, listed);
    const model = options.model ?? (await defaultModel(service));
    return { url, model, models: await offeredModels(service, model, listed ?? []), wantsToken };
  } finally {
    await service.close();
  }
}

/** A model as the service lists it. */
interface ModelEntry {
  readonly id: string;
  readonly context_window: number;
  readonly max_completion_tokens: number;
  readonly supports_tools: boolean;
  readonly supports_vision: boolean;
  readonly info_source: string;
}

/** Undefined without a token, where the command knows as little as the client would. */
async function listedModels(service: Service): Promise<readonly ModelEntry[] | undefined> {
  const listed = await service.call("GET", "/api/models");
  type List = { readonly data?: readonly ModelEntry[] };
  const { data = [] } = await listed.json<List>().catch((): List => ({}));
  return listed.ok ? data : undefined;
}

/** The service's answer for one model, listed or not. */
function askForModel(service: Service, model: string): Promise<Answer> {
  const path = model.split("/").map(encodeURIComponent).join("/");
  return service.call("GET", `/api/models/${path}`);
}

/**
 * Notes a model that no provider lists: one that is named by its provider's prefix is asked for all the same.
 * Rejects with `not_found` where nobody would be asked.
 */
async function checkModel(
  service: Service,
  model: string,
  listed: readonly ModelEntry[] | undefined,
): Promise<void> {
  if (listed === undefined) return;
  const ids = listed.map(({ id }) => id);
  const hint = `${didYouMean(model, ids)} \`pergola models\` lists them.`;
  const found = await askForModel(service, model);
  const { id } = await found.json<{ readonly id?: string }>();
  if (found.status === 404) throw fault("not_found", `The service has no model "${model}".${hint}`);
  if (id !== undefined && !ids.includes(id)) printNote(`No provider lists the model "${model}".${hint}`);
}

/** By the name that the client is told. What the service only guesses is no fact. */
function offered(id: string, entry: ModelEntry): OfferedModel {
  if (entry.info_source === "guess") return { id };
  return {
    id,
    facts: {
      contextTokens: entry.context_window,
      outputTokens: entry.max_completion_tokens,
      callsTools: entry.supports_tools,
      seesPictures: entry.supports_vision,
    },
  };
}

/** The model to begin with, and the others that are listed. */
async function offeredModels(
  service: Service,
  model: string,
  listed: readonly ModelEntry[],
): Promise<readonly OfferedModel[]> {
  const answer = await askForModel(service, model);
  const entry = await answer.json<ModelEntry>().catch(() => undefined);
  const first = answer.ok && entry !== undefined ? offered(model, entry) : { id: model };
  return [first, ...listed.filter(({ id }) => id !== model).map((other) => offered(other.id, other))];
}

interface Described {
  readonly preferences: readonly { readonly key: string; readonly source: string }[];
}

/** The default model's id, or the word that stands for it where nobody has chosen one or it is not told. */
async function defaultModel(service: Service): Promise<string> {
  const answers = await Promise.all(
    ["/api/preferences/schema", "/api/preferences"].map((address) => service.call("GET", address)),
  );
  const [described, values] = await Promise.all(
    answers.map((answer) => answer.json<unknown>().catch(() => ({}))),
  );
  if (!answers.every(({ ok }) => ok)) return "default";
  const { source } = (described as Described).preferences.find(({ key }) => key === "default_model") ?? {};
  if (source === undefined || source === "default") return "default";
  return (values as { readonly preferences: { readonly default_model: string } }).preferences.default_model;
}

/** What the settings say of a service that does not run. */
async function lookInSettings(options: TargetOptions): Promise<Known> {
  const source = await readSettings({ ...settingsOf(options), secretsMayMiss: true });
  const table = new Preferences(source, [], true);
  const untrusted = source.layers.find(({ trusted }) => !trusted);
  const isOfTrust = (warning: string): boolean => warning.startsWith(`${untrusted?.path} is not trusted`);
  table.warnings.filter(isOfTrust).forEach(printNote);
  const usual = table.isDefault("default_model") ? "default" : table.get<string>("default_model");
  const model = options.model ?? usual;
  return {
    url: `http://127.0.0.1:${table.get<number>("server.port")}`,
    model,
    models: [{ id: model }],
    wantsToken: table.get<string>("auth.loopback") === "token",
  };
}

/** The options with which a command finds the same service, from any folder. */
function optionsOf({ settings, data, port, url, plainHttp }: TargetOptions, tokenFile?: string) {
  const place = data ?? process.env["PERGOLA_DATA"];
  const all: readonly (readonly [string, string | undefined])[] = [
    ["--url", url],
    ["--token-file", tokenFile],
    ["--settings", settings && path.resolve(settings)],
    ["--data", place && path.resolve(place)],
    ["--port", port],
  ];
  const words = all.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return plainHttp === true ? [...words, "--plain-http"] : words;
}

/** Whether the name `pergola` leads to this program. */
function isOnPath(): boolean {
  const own = realpathSync(process.argv[1] ?? "");
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  return folders.some((folder) => {
    try {
      return realpathSync(path.join(folder, "pergola")) === own;
    } catch {
      return false;
    }
  });
}
