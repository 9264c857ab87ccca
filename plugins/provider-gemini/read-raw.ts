import type {
  ChatMessage,
  ContentPart,
  Json,
  JsonObject,
  ModelCall,
  OfferedTool,
  Sampling,
  Thinking,
  ToolCall,
} from "@pergola/sdk";
import { isObject, listOf, textOf, type Fields } from "./values.ts";

type Warn = (text: string) => void;

/** The fields of a body that say how to sample, and their names here. */
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

const others: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "tools",
  "stream",
  "stream_options",
  "reasoning_effort",
  "n",
]);

function partOf(part: unknown, warn: Warn): readonly ContentPart[] {
  if (!isObject(part)) return [];
  if (part["type"] === "text") return [{ type: "text", text: textOf(part["text"]) }];
  const url = isObject(part["image_url"]) ? textOf(part["image_url"]["url"]) : textOf(part["image_url"]);
  if (part["type"] === "image_url") return [{ type: "image_url", image_url: { url } }];
  warn(`content of the type ${JSON.stringify(part["type"])} was left out: it is not translated for Gemini`);
  return [];
}

function callOf(call: unknown): readonly ToolCall[] {
  if (!isObject(call) || !isObject(call["function"])) return [];
  const { name, arguments: args } = call["function"];
  return [{ id: textOf(call["id"]), name: textOf(name), arguments: textOf(args) }];
}

function messageOf(message: Fields, warn: Warn): ChatMessage {
  const { role, content, tool_calls: calls, tool_call_id: toolCallId, name } = message;
  return {
    role: textOf(role) as ChatMessage["role"],
    content: typeof content === "string" ? content : listOf(content).flatMap((part) => partOf(part, warn)),
    ...(Array.isArray(calls) ? { toolCalls: listOf(calls).flatMap(callOf) } : {}),
    ...(typeof toolCallId === "string" ? { toolCallId } : {}),
    ...(typeof name === "string" ? { name } : {}),
  };
}

function toolOf(tool: unknown): readonly OfferedTool[] {
  if (!isObject(tool) || !isObject(tool["function"])) return [];
  const { name, description, parameters } = tool["function"];
  return [
    {
      name: textOf(name),
      description: textOf(description),
      parameters: isObject(parameters) ? parameters : { type: "object" },
    },
  ];
}

function thinkingOf(effort: Json | undefined): { readonly thinking?: Thinking } {
  if (effort === "none" || effort === "minimal") return { thinking: { mode: "disabled" } };
  return effort === "low" || effort === "medium" || effort === "high"
    ? { thinking: { mode: "enabled", effort } }
    : {};
}

/**
 * A body of the chat-completions format as a call; fields that have no place in one are left out, with a
 * warning.
 */
export function readRaw(raw: JsonObject, model: string, warn: Warn): ModelCall {
  const given = Object.entries(raw).filter(([, value]) => value !== null);
  for (const [name] of given)
    if (samplingNames[name] === undefined && !others.has(name))
      warn(`${name} was left out: Gemini does not take it`);
  if (Number(raw["n"] ?? 1) > 1) warn("n was left out: one answer is given");
  const sampling = Object.fromEntries(
    given.flatMap(([name, value]) =>
      samplingNames[name] === undefined ? [] : [[samplingNames[name], value]],
    ),
  );
  return {
    model,
    messages: listOf(raw["messages"])
      .filter(isObject)
      .map((message) => messageOf(message, warn)),
    tools: listOf(raw["tools"]).flatMap(toolOf),
    sampling: sampling,
    ...thinkingOf(raw["reasoning_effort"]),
  };
}
