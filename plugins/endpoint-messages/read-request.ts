import {
  defined,
  isObject,
  type EndpointRequest,
  type Json,
  type JsonObject,
  type RunRequest,
  type Sampling,
  type Services,
  type Thinking,
} from "@pergola/sdk";
import type { MessageBody } from "./body-schema.ts";
import { fault } from "./fault.ts";
import { typeOf } from "./read-blocks.ts";
import { readMessages } from "./read-messages.ts";
import { toolsOf } from "./read-tools.ts";

const words: Readonly<Record<string, string>> = { auto: "auto", any: "required", none: "none" };

/** `tool_choice` in the words of chat completions, which all providers understand. */
function choiceOf(choice: JsonObject | undefined): Json | undefined {
  if (choice === undefined) return undefined;
  const { name } = choice;
  const type = typeOf(choice);
  if (type === "tool" && typeof name === "string") return { type: "function", function: { name } };
  const word = words[type];
  if (word === undefined) throw fault("tool_choice.type", "must be auto, any, none, or tool with a name");
  return word;
}

function formatOf({ output_config: config }: MessageBody): Json | undefined {
  const format = config?.["format"];
  if (format === undefined || !isObject(format)) return undefined;
  return { type: "json_schema", json_schema: { name: "answer", schema: format["schema"] ?? {} } };
}

function samplingOf(body: MessageBody): Sampling {
  return defined({
    temperature: body.temperature,
    topP: body.top_p,
    maxTokens: body.max_tokens,
    stop: body.stop_sequences,
    toolChoice: choiceOf(body.tool_choice),
    parallelToolCalls: body.tool_choice?.["disable_parallel_tool_use"] === true ? false : undefined,
    responseFormat: formatOf(body),
    user: body.metadata?.user_id ?? undefined,
  });
}

const modes: Readonly<Record<string, Thinking["mode"]>> = {
  enabled: "enabled",
  adaptive: "adaptive",
  disabled: "disabled",
  between_tools: "disabled",
};
const efforts: Readonly<Record<string, NonNullable<Thinking["effort"]>>> = {
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

function thinkingOf({ thinking, output_config: config }: MessageBody): Thinking | undefined {
  if (thinking === undefined) return undefined;
  const mode = modes[typeOf(thinking)];
  if (mode === undefined) throw fault("thinking.type", "must be enabled, adaptive or disabled");
  const { budget_tokens: budget } = thinking;
  const { effort } = config ?? {};
  return defined({
    mode,
    budgetTokens: typeof budget === "number" ? budget : undefined,
    effort: typeof effort === "string" ? efforts[effort] : undefined,
  });
}

/** A request of the Messages format folded into what a run is asked to do. */
export function readRequest(request: EndpointRequest, services: Services): RunRequest {
  const body = request.body as MessageBody;
  const thinking = thinkingOf(body);
  const messages = readMessages(body);
  if (!messages.some(({ role }) => role === "user" || role === "tool"))
    throw fault("messages", "must hold something that the user says");
  return {
    kind: "chat",
    model: body.model,
    messages,
    ...toolsOf(body.tools ?? [], services),
    sampling: samplingOf(body),
    includeReasoning:
      thinking !== undefined && thinking.mode !== "disabled" && body.thinking?.["display"] !== "omitted",
    toolSwitches: {},
    enableMemory: true,
    customInstructions: [],
    caller: request.caller,
    ...defined({
      thinking,
      conversationId: body.conversation_id ?? request.headers["x-session-id"],
      stream: body.stream,
    }),
  };
}
