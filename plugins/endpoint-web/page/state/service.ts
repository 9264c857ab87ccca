import { computed, signal, type Signal } from "@preact/signals";
import { call, callIfThere, messageOf, pathOf, watchService } from "../link/index.ts";
import type { Approval, Change, Model, Named, Provider, Run, Summary } from "../link/index.ts";
import { type Fields, say } from "../parts/index.ts";

export const conversations = signal<readonly Summary[]>([]);
export const folders = signal<readonly Named[]>([]);
export const topics = signal<readonly Named[]>([]);
export const approvals = signal<readonly Approval[]>([]);
export const runs = signal<readonly Run[]>([]);

/** The title of a conversation; where it is not known, what it is. */
export const titleOf = (id: string, unknown = "a conversation"): string =>
  conversations.value.find((one) => one.id === id)?.title ?? unknown;

export const nameIn = (list: readonly Named[], id: string | null = null): string | undefined =>
  list.find((one) => one.id === id)?.name;

export const newestRun = (id: string): Run | undefined =>
  runs.value.find(({ conversationId }) => conversationId === id);

/** What each conversation does just now: `waiting` where a person must decide. */
export const activity = computed(() => {
  const found = new Map<string, "waiting" | "working">();
  for (const { conversationId, status } of runs.value)
    if (status === "running" || status === "queued") found.set(conversationId, "working");
  for (const { conversationId } of approvals.value) found.set(conversationId, "waiting");
  return found;
});

/** Ends a run, or lets one go on that the service had left. What is refused is said. */
export const steer = (id: string, how: "cancel" | "resume"): Promise<unknown> =>
  call(pathOf(["api", "runs", id, how]), "POST", {}).catch((error) => say(messageOf(error), true));

/** What a route lists under a name; nothing where the plugin for it is off. */
export const listOf = <T>(path: string, name: string): Promise<readonly T[]> =>
  callIfThere<Readonly<Record<string, readonly T[]>>>(path).then((found) => found?.[name] ?? []);

async function read(): Promise<void> {
  [approvals.value, runs.value, conversations.value, folders.value, topics.value] = await Promise.all([
    listOf<Approval>("/api/approvals", "approvals").catch(() => []),
    listOf<Run>("/api/runs?limit=50", "runs"),
    listOf<Summary>("/v1/conversations?limit=200", "conversations"),
    listOf<Named>("/api/folders", "folders"),
    listOf<Named>("/api/topics", "topics"),
  ]);
}

/** Puts a record in its place, the newest first, or takes it out. */
function put<T extends { readonly id: string }>(
  list: Signal<readonly T[]>,
  { id, record }: Change,
  timeOf: (one: T) => string,
): void {
  const others = list.peek().filter((one) => one.id !== id);
  const all = record === null ? others : [...others, record as T];
  list.value = all.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1)).slice(0, 200);
}

const takers: Readonly<Record<string, (change: Change) => void>> = {
  conversation: (change) => put(conversations, change, ({ updated }) => updated),
  run: (change) => put(runs, change, ({ createdAt }) => createdAt),
  folder: (change) => put(folders, change, ({ name }) => name),
  topic: (change) => put(topics, change, ({ name }) => name),
  approval: ({ id, record }) => {
    const others = approvals.peek().filter((one) => one.id !== id);
    const isOpen = (record as Approval | null)?.status === "pending";
    approvals.value = isOpen ? [...others, record as Approval] : others;
  },
};

export const startWatching = (): void =>
  void watchService({ kinds: Object.keys(takers), read, take: (change) => takers[change.kind]?.(change) });

export const models = signal<readonly (Model & { readonly isInstalled: boolean })[] | undefined>(undefined);
export const providers = signal<readonly Provider[]>([]);
export const defaultModel = signal("");
/** The key that sends a message: `enter` or `shift_enter`. */
export const sendKey = signal<unknown>(localStorage.getItem("pergola.send_key") ?? "enter");

const { style } = document.documentElement;
// At once as it was the last time.
style.colorScheme = localStorage.getItem("pergola.theme") ?? "";

/** Has in force what somebody has chosen for the page. */
export function takeChoices({ "web.theme": theme, "web.send_key": key }: Record<string, unknown>): void {
  sendKey.value = key;
  style.colorScheme = theme === "system" ? "" : String(theme);
  Object.assign(localStorage, { "pergola.theme": style.colorScheme, "pergola.send_key": key });
}

/** Whether nothing but the built-in guide answers. */
export const isGuide = (model: string): boolean => model.startsWith("embedded/");

export const nameOf = (model: string): string =>
  isGuide(model) ? "Built-in guide, not a language model" : model;

/** Whether chats show the ways to a model: from when only the guide answers until a model is asked. */
export const offersModels = signal(false);

export async function loadModels(): Promise<void> {
  const [{ data, models: files }, preferences, list] = await Promise.all([
    call<{ data: Model[]; models: Named[] }>("/api/models"),
    call<{ defaultModel: string; preferences: Record<string, unknown> }>("/api/preferences"),
    call<{ providers: Provider[] }>("/api/providers"),
  ]);
  models.value = data.map((one) => ({ ...one, isInstalled: nameIn(files, one.id) !== undefined }));
  defaultModel.value = preferences.defaultModel;
  takeChoices(preferences.preferences);
  providers.value = list.providers;
  offersModels.value ||= isGuide(preferences.defaultModel);
}

export async function chooseDefault(model: string): Promise<void> {
  await call("/api/preferences", "PATCH", { default_model: model });
  defaultModel.value = model;
}

/** The provider of a kind at an address; of a kind with one address, without it. */
export const providerAt = (type: string, address = ""): Provider | undefined =>
  providers.value.find(
    (one) => one.type === type && (address === "" || `${address}/`.startsWith(`${one.base_url}/`)),
  );

/** Saves a provider once it has listed its models; a key goes to the service and stays nowhere else. */
export async function connectProvider(type: string, body: Fields): Promise<Provider> {
  // A second one of a kind takes nothing from the first.
  const free = providerAt(type) === undefined ? type : `${type}-${Date.now().toString(36)}`;
  const path = pathOf(["api", "providers", providerAt(type, body["baseUrl"])?.id ?? free]);
  const { provider } = await call<{ provider: Provider }>(path, "PUT", { type, ...body });
  await loadModels();
  return provider;
}
