import { fieldFault, nonEmpty, selectTools, type Warn } from "@pergola/kit-provider";
import {
  AppError,
  defined,
  isObject,
  stringOf,
  type EndpointRequest,
  type Json,
  type JsonObject,
  type RunRequest,
  type Sampling,
  type Services,
  type Thinking,
} from "@pergola/sdk";
import type { MessageBody } from "./body-schema.ts";
import { typeOf } from "./read-blocks.ts";
import { readMessages } from "./read-messages.ts";
import { readTool } from "./read-tools.ts";

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
  if (known === undefined)
    throw fieldFault("tool_choice.type", "must be auto, any, none, or tool with a name");
  return known;
}

function formatOf({ output_config: config, output_format: older }: MessageBody): Json | undefined {
  const format = config?.["format"] ?? older;
  if (!isObject(format)) return undefined;
  const { schema = {}, strict } = format;
  return { type: "json_schema", json_schema: defined({ name: "answer", schema, strict }) };
}

function samplingOf(body: MessageBody): Sampling {
  return defined({
    temperature: body.temperature,
    topP: body.top_p,
    maxTokens: body.max_tokens,
    stop: body.stop_sequences,
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
  if (mode === undefined) throw fieldFault("thinking.type", "must be enabled, adaptive or disabled");
  const { budget_tokens: budget } = thinking;
  return defined({
    mode,
    budgetTokens: typeof budget === "number" ? budget : undefined,
    effort: efforts.get(config?.["effort"]),
  });
}

/** What the format has and nobody here can honour. */
const unsupported = ["top_k", "mcp_servers", "container"] as const;

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Its histories are told by their messages: without them nobody here knows what a thread holds. */
function checkThread({ thread }: MessageBody): void {
  if (thread?.["type"] !== "continue") return;
  throw new AppError({
    code: "invalid_value",
    message: "thread cannot be continued here: send the whole history in messages.",
    param: "thread",
    details: { error_code: "thread_not_found" },
  });
}

/** What the request says of the use of its tools. The choice of a tool that was left out goes with it. */
function toolSamplingOf(
  { tool_choice: choice }: MessageBody,
  { callerTools, builtinTools }: Pick<RunRequest, "callerTools" | "builtinTools">,
  warn: Warn,
): Sampling {
  const toolChoice = choiceOf(choice);
  const name = isObject(toolChoice) ? stringOf(choice?.["name"]) : undefined;
  const isOffered =
    name === undefined ||
    builtinTools === "all" ||
    builtinTools.includes(name) ||
    callerTools.some((tool) => tool.name === name);
  if (!isOffered) warn(`tool_choice was left out: no tool named ${name} is offered`);
  return defined({
    toolChoice: isOffered ? toolChoice : undefined,
    parallelToolCalls: choice?.["disable_parallel_tool_use"] === true ? false : undefined,
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
  checkThread(body);
  const warnings: string[] = [];
  const warn: Warn = (text) => void warnings.push(text);
  const messages = readMessages(body, warn);
  if (!messages.some(({ role }) => role === "user" || role === "tool"))
    throw fieldFault("messages", "must hold a user message");
  for (const key of unsupported) {
    if (isSet(body[key])) warn(`${key} was left out: it means nothing to the models here`);
  }
  const tools = selectTools(body.tools, services, undefined, { group: "messages", read: readTool, warn });
  return {
    kind: "chat",
    model: body.model,
    messages,
    ...tools,
    sampling: { ...samplingOf(body), ...toolSamplingOf(body, tools, warn) },
    includeReasoning: isThinking && body.thinking?.["display"] !== "omitted",
    toolSwitches: {},
    enableMemory: true,
    customInstructions: [],
    caller,
    ...defined({
      warnings: nonEmpty(warnings),
      thinking,
      conversationId: body.conversation_id ?? headers["x-session-id"],
      sendsWholeHistory: (body.conversation_id === undefined && tools.callerTools.length > 0) || undefined,
      stream: body.stream,
    }),
  };
}
