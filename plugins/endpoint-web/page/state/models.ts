import { computed, signal } from "@preact/signals";
import { call } from "../link/api.ts";
import type { Model, Provider } from "../link/wire.ts";

export const models = signal<readonly Model[] | undefined>(undefined);
export const providers = signal<readonly Provider[]>([]);
export const defaultModel = signal("");

/** Whether nothing but the built-in guide answers. */
export const isGuide = (model: string): boolean => model.startsWith("embedded/");

export const nameOf = (model: string): string =>
  isGuide(model) ? "Built-in guide, not a language model" : model;

export const hasOwnModel = computed(() => (models.value ?? []).some(({ id }) => !isGuide(id)));

export async function loadModels(): Promise<void> {
  const [{ data }, preferences, list] = await Promise.all([
    call<{ data: Model[] }>("/api/models"),
    call<{ defaultModel: string }>("/api/preferences"),
    call<{ providers: Provider[] }>("/api/providers"),
  ]);
  models.value = data;
  defaultModel.value = preferences.defaultModel;
  providers.value = list.providers;
}

export async function chooseDefault(model: string): Promise<void> {
  await call("/api/preferences", { method: "PATCH", body: { default_model: model } });
  defaultModel.value = model;
}
