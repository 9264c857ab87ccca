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

const choices: ReadonlyMap<string, string> = new Map([
  ["auto", "auto"],
  ["any", "required"],
  ["none", "none"],
]);

/** `tool_choice` in the words of chat completions, which all providers understand. */
function choiceOf(choice: JsonObject | undefined): Json | undefined {
  if (choice === undefined) return undefined;
  const { name } = choice;
  const type = typeOf(choice);
  if (type === "tool" && typeof name === "string") return { type: "function", function: { name } };
  const known = choices.get(type);
  if (known === undefined) throw fault("tool_choice.type", "must be auto, any, none, or tool with a name");
  return known;
}

function formatOf({ output_config: config }: MessageBody): Json | undefined {
  const format = config?.["format"];
  if (!isObject(format)) return undefined;
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

const modes: ReadonlyMap<string, Thinking["mode"]> = new Map([
  ["enabled", "enabled"],
  ["adaptive", "adaptive"],
  ["disabled", "disabled"],
  ["between_tools", "disabled"],
]);

const efforts: ReadonlyMap<unknown, Thinking["effort"]> = new Map([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"],
]);

function thinkingOf({ thinking, output_config: config }: MessageBody): Thinking | undefined {
  if (thinking === undefined) return undefined;
  const mode = modes.get(typeOf(thinking));
  if (mode === undefined) throw fault("thinking.type", "must be enabled, adaptive or disabled");
  const { budget_tokens: budget } = thinking;
  return defined({
    mode,
    budgetTokens: typeof budget === "number" ? budget : undefined,
    effort: efforts.get(config?.["effort"]),
  });
}

/** Turns a request of the Messages format into the request for a run. */
export function readRequest(
  body: MessageBody,
  { caller, headers }: Pick<EndpointRequest, "caller" | "headers">,
  services: Services,
): RunRequest {
  const thinking = thinkingOf(body);
  const isThinking = thinking !== undefined && thinking.mode !== "disabled";
  const messages = readMessages(body);
  if (!messages.some(({ role }) => role === "user" || role === "tool"))
    throw fault("messages", "must hold a user message");
  return {
    kind: "chat",
    model: body.model,
    messages,
    ...toolsOf(body.tools ?? [], services),
    sampling: samplingOf(body),
    includeReasoning: isThinking && body.thinking?.["display"] !== "omitted",
    toolSwitches: {},
    enableMemory: true,
    customInstructions: [],
    caller,
    ...defined({
      thinking,
      conversationId: body.conversation_id ?? headers["x-session-id"],
      stream: body.stream,
    }),
  };
}
