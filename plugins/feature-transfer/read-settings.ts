import { defined, settingsProperties, type ConversationSettings } from "@pergola/sdk";
import type { Parts, PromptLibrary, PromptText } from "@pergola/sdk/host";
import type { PackedConversation } from "./package-form.ts";

/**
 * What refers to something that may not be here is taken over where it is. Topics are attached by name, apart
 * from the settings.
 */
const elsewhere = [
  "useSharedData",
  "sharedTopicId",
  "sharedTopicName",
  "selectedSystemPromptId",
  "selectedPersonalityId",
];

export interface ReadSettings {
  readonly settings: ConversationSettings;
  readonly enabledCustomInstructionIds: readonly string[];
}

type Warn = (text: string) => void;

/** The ids of texts that are here. */
async function knownTexts(
  library: Pick<PromptLibrary<PromptText>, "find"> | undefined,
  ids: readonly unknown[],
  missing: (id: string) => void,
): Promise<readonly string[]> {
  const known: string[] = [];
  for (const id of ids) {
    if (typeof id !== "string" || id === "") continue;
    if ((await library?.find(id)) === undefined) missing(id);
    else known.push(id);
  }
  return known;
}

function ownSettings(settings: Readonly<Record<string, unknown>>, compile: Parts["compile"], warn: Warn) {
  const read: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(settingsProperties)) {
    const value = settings[key] ?? undefined;
    if (value === undefined || elsewhere.includes(key)) continue;
    if (compile(schema)(value).length === 0) read[key] = value;
    else warn(`The setting ${key} has a value that does not fit; it was left out.`);
  }
  return read;
}

/** A file switches no tools on that are off unless a person wants them. */
async function ownOverrides(
  tools: Parts["tools"],
  overrides: ConversationSettings["toolOverrides"],
  warn: Warn,
): Promise<ConversationSettings["toolOverrides"]> {
  if (overrides === undefined) return undefined;
  const listed = (await tools.list()).filter(
    ({ enabled, enabledByDefault }) => !enabled || !enabledByDefault,
  );
  const off = new Set(listed.map(({ name }) => name));
  const dropped = Object.keys(overrides).filter((name) => overrides[name] === true && off.has(name));
  for (const name of dropped)
    warn(`The file switches ${name} on, which is off by default; that was left out. Switch it on yourself.`);
  return Object.fromEntries(Object.entries(overrides).filter(([name]) => !dropped.includes(name)));
}

/** The settings of a packed conversation that count here; `warn` is told of each that does not. */
export async function readSettings(
  { compile, prompts, tools }: Pick<Parts, "compile" | "prompts" | "tools">,
  { settings = {}, enabledCustomInstructionIds = [] }: PackedConversation,
  warn: Warn,
): Promise<ReadSettings> {
  const unknown = (what: string, rest: string) => (id: string) =>
    warn(`There is no ${what} "${id}" here; ${rest}.`);
  const own: ConversationSettings = ownSettings({ ...settings }, compile, warn);
  const toolOverrides = await ownOverrides(tools, own.toolOverrides, warn);
  const { selectedSystemPromptId, selectedPersonalityId } = settings;
  const [system, personality, minis] = [
    await knownTexts(
      prompts?.system,
      [selectedSystemPromptId],
      unknown("system prompt", "the default is used"),
    ),
    await knownTexts(
      prompts?.personalities,
      [selectedPersonalityId],
      unknown("personality", "the default is used"),
    ),
    await knownTexts(prompts?.mini, enabledCustomInstructionIds, unknown("mini prompt", "it was left out")),
  ];
  const chosen = defined({ selectedSystemPromptId: system[0], selectedPersonalityId: personality[0] });
  return {
    settings: { ...own, ...defined({ toolOverrides }), ...chosen },
    enabledCustomInstructionIds: minis,
  };
}
