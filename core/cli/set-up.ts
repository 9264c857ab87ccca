import { countOf } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { askChoice, askHidden, askLine } from "./ask-person.ts";
import { exitCodes } from "./exit-codes.ts";
import { printNote } from "./print-result.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";

/** Where models can come from. */
interface Source {
  readonly label: string;
  /** The ids of its models; undefined when the person leaves. */
  readonly models: () => Promise<readonly string[] | undefined>;
}

interface Provider {
  readonly id: string;
  readonly type: string;
  readonly prefix: string;
}

interface LocalServer {
  readonly type: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly configured: boolean;
}

const vendors: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Google Gemini",
  openrouter: "OpenRouter",
  deepseek: "DeepSeek",
};

/** Lets the person at the terminal choose the model that answers, and connects its provider first. */
export async function setUp(options: CommonOptions): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw fault(
      "invalid_value",
      "Nobody is at the terminal to choose a model. " +
        "`pergola settings set default_model <id>` does it without.",
    );
  return withService(options, async (service) => {
    const model = await chooseModel(service);
    if (model === undefined) return exitCodes.interrupted;
    await service.send("PATCH", "/api/preferences", { default_model: model });
    printNote(`${model} answers from now on.`);
    return exitCodes.ok;
  });
}

async function chooseModel(service: Service): Promise<string | undefined> {
  const sources = await sourcesOf(service);
  const chosen = await askChoice(
    "Where is your model?",
    sources.map(({ label }) => label),
  );
  const models = await sources.find(({ label }) => label === chosen)?.models();
  if (models === undefined) return undefined;
  if (models.length === 0) throw fault("not_found", "No model is listed there.");
  return askChoice("Which model is to answer?", models);
}

async function sourcesOf(service: Service): Promise<readonly Source[]> {
  const [present, { servers }] = await Promise.all([
    listedModels(service),
    service.send<{ readonly servers: readonly LocalServer[] }>("POST", "/api/providers/detect", {}),
  ]);
  const local = servers
    .filter(({ configured }) => !configured)
    .map(({ type, name, baseUrl, models }) => ({
      label: `${name}, which runs on this computer: ${countOf(models.length, "model", "models")}`,
      models: () => connect(service, type, { baseUrl }),
    }));
  const hosted = Object.entries(vendors).map(([type, name]) => ({
    label: `${name}, with a key`,
    models: async () => withKey(await askHidden(`The key of ${name}`), (key) => connect(service, type, key)),
  }));
  return [
    {
      label: `Connected already: ${countOf(present.length, "model", "models")}`,
      models: async () => present,
    },
    ...local,
    ...hosted,
    { label: "Another server, by its address", models: () => connectByAddress(service) },
  ];
}

async function withKey<T>(
  key: string | undefined,
  work: (fields: { readonly apiKey?: string }) => Promise<T>,
): Promise<T | undefined> {
  if (key === undefined) return undefined;
  return work(key === "" ? {} : { apiKey: key });
}

async function connectByAddress(service: Service): Promise<readonly string[] | undefined> {
  const baseUrl = await askLine("Its address, such as http://192.168.1.5:8000/v1");
  if (baseUrl === undefined) return undefined;
  const key = await askHidden("Its key, if it wants one");
  return withKey(key, (fields) => connect(service, "custom", { baseUrl, ...fields }));
}

/** Connects a provider; it has to list its models. Rejects with AppError where it does not. */
async function connect(service: Service, type: string, fields: object): Promise<readonly string[]> {
  const { providers } = await service.get<{ readonly providers: readonly Provider[] }>("/api/providers");
  const id = idFor(type, providers, "baseUrl" in fields);
  const { provider } = await service.send<{ readonly provider: Provider }>(
    "PUT",
    `/api/providers/${encodeURIComponent(id)}`,
    { type, ...fields },
  );
  const models = await listedModels(service);
  return models.filter((model) => model.startsWith(`${provider.prefix}/`));
}

/** A vendor's new key takes the place of the old one; a server takes nothing from another. */
function idFor(type: string, providers: readonly Provider[], isServer: boolean): string {
  const known = providers.find((provider) => provider.type === type)?.id;
  if (known !== undefined && !isServer) return known;
  const ids = new Set(providers.map(({ id }) => id));
  let id = type;
  for (let count = 2; ids.has(id); count += 1) id = `${type}-${count}`;
  return id;
}

async function listedModels(service: Service): Promise<readonly string[]> {
  const { data } = await service.get<{ readonly data: readonly { readonly id: string }[] }>("/api/models");
  return data.map(({ id }) => id);
}
