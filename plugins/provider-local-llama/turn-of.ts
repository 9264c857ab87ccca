import type {
  ChatMessage,
  ContentPart,
  JsonObject,
  ModelCall,
  OfferedTool,
  Sampling,
  ToolCall,
} from "@pergola/sdk";
import type { ChatTurn, TurnMessage } from "./messages.ts";

export interface ReadTurn {
  readonly turn: ChatTurn;
  readonly warnings: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Raw[] => (Array.isArray(value) ? (value as readonly Raw[]) : []);

/**
 * What the process of a model is asked: a call as the host makes it, or a caller's own body in the
 * chat-completions format.
 */
export function turnOf(call: ModelCall): ReadTurn {
  const { messages, tools, sampling } = call.raw === undefined ? call : readBody(call.raw, call.sampling);
  const pictures = messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }: ContentPart) => type !== "text"),
  );
  return {
    turn: {
      messages: messages.map(plain),
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      sampling,
      ...(call.thinking === undefined ? {} : { thinking: call.thinking }),
    },
    warnings: pictures ? ["the model reads no pictures; they were left out"] : [],
  };
}

function plain({ role, content, toolCalls, toolCallId, name, reasoning }: ChatMessage): TurnMessage {
  return {
    role,
    content: textOf(content),
    ...(toolCalls === undefined || toolCalls.length === 0 ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

const textOf = (content: ChatMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? [])
        .map((part) => (part.type === "text" ? part.text : "[a picture that the model can not see]"))
        .join("\n");

const fields: Readonly<Record<string, keyof Sampling>> = {
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
};

function readBody(body: JsonObject, usual: Sampling): Pick<ModelCall, "messages" | "tools" | "sampling"> {
  const given = Object.entries(fields).flatMap(([wire, name]) =>
    body[wire] === undefined || body[wire] === null ? [] : [[name, body[wire]]],
  );
  return {
    messages: list(body["messages"]).map(readMessage),
    tools: list(body["tools"]).map((tool) => readTool((tool["function"] ?? {}) as Raw)),
    sampling: { ...usual, ...(Object.fromEntries(given) as Sampling) },
  };
}

const readTool = ({ name, description, parameters }: Raw): OfferedTool => ({
  name: String(name),
  description: typeof description === "string" ? description : "",
  parameters: (parameters ?? { type: "object" }) as OfferedTool["parameters"],
});

function readMessage(raw: Raw): ChatMessage {
  const toolCalls = list(raw["tool_calls"]).map((call): ToolCall => {
    const { name, arguments: args } = (call["function"] ?? {}) as Raw;
    return {
      id: typeof call["id"] === "string" ? call["id"] : "",
      name: String(name),
      arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
    };
  });
  const role = raw["role"] === "developer" ? "system" : (raw["role"] as ChatMessage["role"]);
  return {
    role,
    content: (raw["content"] ?? null) as ChatMessage["content"],
    toolCalls,
    ...(typeof raw["tool_call_id"] === "string" ? { toolCallId: raw["tool_call_id"] } : {}),
    ...(typeof raw["reasoning_content"] === "string" ? { reasoning: raw["reasoning_content"] } : {}),
  };
}
