import {
  RequestError,
  type SessionConfigOption,
  type SessionConfigSelectOption,
} from "@agentclientprotocol/sdk";
import type { Conversation, Service } from "./service.ts";

/** What is chosen for the next prompts of a session. */
export interface Choices {
  readonly model: string;
  readonly thought: string;
  readonly terminal: string;
}

interface Models {
  readonly data: readonly { readonly id: string; readonly supports_tools?: boolean }[];
}

type Key = keyof Choices;

/** The service's own choice. */
const usual = "default";

const fixed: Readonly<Record<Exclude<Key, "model">, readonly (readonly [string, string])[]>> = {
  thought: [
    [usual, "As the model does"],
    ["off", "None"],
    ["low", "Low"],
    ["medium", "Medium"],
    ["high", "High"],
  ],
  terminal: [
    [usual, "As in Pergola's settings"],
    ["on", "Commands may be run"],
    ["off", "No commands"],
  ],
};

/** Those that call tools come first. */
async function modelOptions(service: Service): Promise<SessionConfigSelectOption[]> {
  const { data } = await service.send<Models>("GET", "/api/models");
  const ordered = [...data].sort((a, b) => Number(b.supports_tools) - Number(a.supports_tools));
  return ordered.map(({ id }) => ({ value: id, name: id }));
}

const selectOf = (key: Exclude<Key, "model">): SessionConfigSelectOption[] =>
  fixed[key].map(([value, name]) => ({ value, name }));

/** What may be chosen, and what is. A model that is gone stays in the list until another is chosen. */
export async function configOptions(service: Service, choices: Choices): Promise<SessionConfigOption[]> {
  const models = await modelOptions(service);
  const first = [usual, choices.model]
    .filter((value, index, all) => all.indexOf(value) === index)
    .filter((value) => models.every((model) => model.value !== value))
    .map((value) => ({ value, name: value === usual ? "Pergola's default model" : value }));
  const select = { type: "select" } as const;
  return [
    {
      ...select,
      id: "model",
      name: "Model",
      category: "model",
      currentValue: choices.model,
      options: [...first, ...models],
    },
    {
      ...select,
      id: "thought",
      name: "Thinking",
      category: "thought_level",
      currentValue: choices.thought,
      options: selectOf("thought"),
    },
    {
      ...select,
      id: "terminal",
      name: "Terminal",
      category: "mode",
      description: "Whether commands may be run on this computer",
      currentValue: choices.terminal,
      options: selectOf("terminal"),
    },
  ];
}

/** The choices with one of them changed. Throws RequestError for what is not among the options. */
export function choose(
  options: readonly SessionConfigOption[],
  choices: Choices,
  key: string,
  value: unknown,
): Choices {
  const option = options.find(({ id }) => id === key);
  const values = option?.type === "select" ? (option.options as readonly SessionConfigSelectOption[]) : [];
  if (values.some((one) => one.value === value)) return { ...choices, [key]: value };
  throw RequestError.invalidParams(undefined, `${key} cannot be ${String(value)}.`);
}

/** What a conversation was held with; nothing is chosen in a new one. */
export function choicesOf(conversation?: Conversation): Choices {
  if (conversation === undefined) return { model: usual, thought: usual, terminal: usual };
  const { enableReasoning, thinkingEffort, toolOverrides } = conversation.settings;
  const access = toolOverrides?.[terminalTool];
  return {
    model: conversation.model ?? usual,
    thought: enableReasoning === false ? "off" : (thinkingEffort ?? usual),
    terminal: access === undefined ? usual : switchOf(access),
  };
}

const terminalTool = "terminal_operations";
const switchOf = (isOn: boolean): string => (isOn ? "on" : "off");

/** The settings of a conversation that the choices stand for, beside those of other tools. */
export function settingsOf({ thought, terminal }: Choices, { settings }: Conversation) {
  const { [terminalTool]: _, ...others } = settings.toolOverrides ?? {};
  const isEffort = thought !== usual && thought !== "off";
  return {
    enableReasoning: thought === usual ? null : thought !== "off",
    thinkingEffort: isEffort ? thought : null,
    toolOverrides: terminal === usual ? others : { ...others, [terminalTool]: terminal === "on" },
  };
}

/** The fields of a chat request that the choices stand for. */
export function requestFields({ model, thought, terminal }: Choices) {
  const thinking =
    thought === "off" ? { mode: "disabled" } : { include_thinking: true, ...effortOf(thought) };
  const access = terminal === usual ? {} : { enable_terminal_access: terminal === "on" };
  return { model, service_config: { thinking, ...access } };
}

const effortOf = (thought: string): object => (thought === usual ? {} : { mode: "enabled", effort: thought });
