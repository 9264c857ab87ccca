import type {
  ChatMessage,
  ContentPart,
  JsonObject,
  ModelCall,
  OfferedTool,
  Sampling,
  Thinking,
  ToolCall,
} from "@pergola/sdk";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objectsOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter(isObject) : [];
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Fields of this format that a chat-completions body may carry too; they are handed on. */
const handedOn = ["top_k", "output_config", "cache_control"];

/** Fields that need no word: they are read, or say nothing here. */
const quiet = ["model", "messages", "tools", "stream", "stream_options", "reasoning_effort", "thinking"];

const messageKeys = ["reasoning_blocks", "cache_control"];

const callOf = ({ id, function: called }: Fields): ToolCall => {
  const { name, arguments: args } = isObject(called) ? called : {};
  return {
    id: textOf(id),
    name: textOf(name),
    arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
  };
};

type Warn = (text: string) => void;

function partOf(part: Fields, warn: Warn): readonly ContentPart[] {
  const { type, text, image_url: image } = part;
  if (type === "text" && typeof text === "string") return [{ type, text }];
  const url = isObject(image) ? image["url"] : image;
  if (type === "image_url" && typeof url === "string") return [{ type, image_url: { url } }];
  warn(`a part of type ${textOf(type)} was left out: Anthropic does not take it`);
  return [];
}

const contentOf = (content: unknown, warn: Warn): ChatMessage["content"] =>
  Array.isArray(content) ? objectsOf(content).flatMap((part) => partOf(part, warn)) : textOf(content);

function messageOf(raw: Fields, warn: Warn): ChatMessage {
  const role = raw["role"] === "developer" ? "system" : (raw["role"] as ChatMessage["role"]);
  const calls = objectsOf(raw["tool_calls"]).map(callOf);
  const extra = Object.fromEntries(
    Object.entries(raw).filter(([key]) => messageKeys.includes(key)),
  ) as JsonObject;
  return {
    role,
    content: contentOf(raw["content"], warn),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(typeof raw["tool_call_id"] === "string" ? { toolCallId: raw["tool_call_id"] } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function toolOf(raw: Fields): OfferedTool {
  const { name, description, parameters } = isObject(raw["function"]) ? raw["function"] : {};
  return {
    name: textOf(name),
    description: textOf(description),
    parameters: isObject(parameters) ? parameters : {},
  };
}

const samplingNames: Readonly<Record<string, keyof Sampling>> = {
  temperature: "temperature",
  top_p: "topP",
  max_tokens: "maxTokens",
  max_completion_tokens: "maxTokens",
  repetition_penalty: "repetitionPenalty",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
  stop: "stop",
  seed: "seed",
  response_format: "responseFormat",
  tool_choice: "toolChoice",
  parallel_tool_calls: "parallelToolCalls",
  user: "user",
};

function samplingOf(raw: JsonObject): Sampling {
  const fields = Object.entries(samplingNames).filter(
    ([name]) => raw[name] !== undefined && raw[name] !== null,
  );
  return Object.fromEntries(fields.map(([name, key]) => [key, raw[name]]));
}

const modes: Readonly<Record<string, Thinking["mode"]>> = {
  enabled: "enabled",
  adaptive: "adaptive",
  disabled: "disabled",
  between_tools: "disabled",
};

/** `thinking` of this format, or `reasoning_effort` of the other. */
function thinkingOf({ thinking, reasoning_effort: effort }: JsonObject): Pick<ModelCall, "thinking"> {
  const { type, budget_tokens: budget } = isObject(thinking) ? thinking : {};
  const mode = modes[textOf(type)];
  if (mode !== undefined)
    return { thinking: { mode, ...(typeof budget === "number" ? { budgetTokens: budget } : {}) } };
  if (effort === "none") return { thinking: { mode: "disabled" } };
  return effort === "low" || effort === "medium" || effort === "high"
    ? { thinking: { mode: "enabled", effort } }
    : {};
}

/** A body of the chat-completions format as a call, and the fields of it that this format knows itself. */
export function readRaw(
  { model }: ModelCall,
  raw: JsonObject,
  warn: Warn,
): { readonly call: ModelCall; readonly own: JsonObject } {
  const given = Object.entries(raw).filter(([, value]) => value !== null);
  const isKnown = (key: string): boolean =>
    quiet.includes(key) || handedOn.includes(key) || key in samplingNames;
  for (const [key] of given) if (!isKnown(key)) warn(`${key} was left out: Anthropic does not take it`);
  const messages = objectsOf(raw["messages"]).map((message) => messageOf(message, warn));
  const tools = objectsOf(raw["tools"]).map(toolOf);
  return {
    call: { model, messages, tools, sampling: samplingOf(raw), ...thinkingOf(raw) },
    own: Object.fromEntries(given.filter(([key]) => handedOn.includes(key))),
  };
}
