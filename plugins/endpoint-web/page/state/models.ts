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

/** Saves a provider once it has listed its models; a key goes to the service and stays nowhere else. */
export async function connectProvider(id: string, body: object): Promise<Provider> {
  const path = pathOf(["api", "providers", id]);
  const { provider } = await call<{ provider: Provider }>(path, { method: "PUT", body });
  await loadModels();
  return provider;
}
