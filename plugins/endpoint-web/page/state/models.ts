import { signal } from "@preact/signals";
import { call, type Model, pathOf, type Provider } from "../link/index.ts";

export const models = signal<readonly Model[] | undefined>(undefined);
export const providers = signal<readonly Provider[]>([]);
export const defaultModel = signal("");

/** Whether nothing but the built-in guide answers. */
export const isGuide = (model: string): boolean => model.startsWith("embedded/");

export const nameOf = (model: string): string =>
  isGuide(model) ? "Built-in guide, not a language model" : model;

/** Whether chats show the ways to a model: from when only the guide answers until a model is asked. */
export const offersModels = signal(false);

export async function loadModels(): Promise<void> {
  const [{ data }, preferences, list] = await Promise.all([
    call<{ data: Model[] }>("/api/models"),
    call<{ defaultModel: string }>("/api/preferences"),
    call<{ providers: Provider[] }>("/api/providers"),
  ]);
  models.value = data;
  defaultModel.value = preferences.defaultModel;
  providers.value = list.providers;
  offersModels.value ||= isGuide(preferences.defaultModel);
}

export async function chooseDefault(model: string): Promise<void> {
  await call("/api/preferences", { method: "PATCH", body: { default_model: model } });
  defaultModel.value = model;
}

/** The provider of a kind at an address; of a kind with one address, without it. */
export const providerAt = (type: string, address = ""): Provider | undefined =>
  providers.value.find(
    (one) => one.type === type && (address === "" || `${address}/`.startsWith(`${one.base_url}/`)),
  );

/** Saves a provider once it has listed its models; a key goes to the service and stays nowhere else. */
export async function connectProvider(
  type: string,
  body: Readonly<Record<string, string>>,
): Promise<Provider> {
  // A second one of a kind takes nothing from the first.
  const free = providerAt(type) === undefined ? type : `${type}-${Date.now().toString(36)}`;
  const path = pathOf(["api", "providers", providerAt(type, body["baseUrl"])?.id ?? free]);
  const request = { method: "PUT", body: { type, ...body } } as const;
  const { provider } = await call<{ provider: Provider }>(path, request);
  await loadModels();
  return provider;
}
