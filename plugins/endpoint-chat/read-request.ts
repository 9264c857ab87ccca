import { AppError, type EndpointRequest, type Json, type JsonObject, type OfferedTool, type RunRequest, type Sampling, type Services, type Thinking } from "@pergola/sdk";
import type { ChatBody, ServiceConfig } from "./body-schema.ts";
import { readMessages } from "./read-messages.ts";

const defined = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined && item !== null)) as T;

/** service_config wins over its older spelling, key by key. */
export const configOf = ({ service_config: config, sam_config: older }: ChatBody): ServiceConfig => ({ ...older, ...config });

/** The first source that is not empty. */
export function conversationIdOf(body: Pick<ChatBody, "conversationId" | "session_id" | "context_id">, headers: EndpointRequest["headers"]): string | undefined {
  return [body.conversationId, body.session_id, body.context_id, headers["x-session-id"]].find((id) => id !== undefined && id !== "");
}

function samplingOf(body: ChatBody): Sampling {
  return defined({
    temperature: body.temperature,
    topP: body.top_p,
    maxTokens: body.max_tokens,
    repetitionPenalty: body.repetition_penalty,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    stop: body.stop ?? undefined,
    seed: body.seed ?? undefined,
    responseFormat: (body.response_format ?? undefined) as Json | undefined,
    toolChoice: (body.tool_choice ?? undefined) as Json | undefined,
    parallelToolCalls: body.parallel_tool_calls,
    user: body.user,
  }) as Sampling;
}

function thinkingOf({ reasoning }: ChatBody, { thinking, enable_reasoning: enabled }: ServiceConfig): Thinking | undefined {
  const asked = typeof reasoning === "object" ? reasoning : reasoning === undefined ? undefined : { enabled: reasoning };
  if (thinking === undefined && asked === undefined && enabled !== false) return undefined;
  const off = enabled === false || asked?.enabled === false;
  const mode = thinking?.mode ?? (off ? "disabled" : "enabled");
  return defined({ mode, budgetTokens: thinking?.budget_tokens ?? asked?.budget_tokens, effort: thinking?.effort ?? asked?.effort }) as Thinking;
}

function readTool(raw: Readonly<Record<string, unknown>>, at: string): OfferedTool {
  const { name, description = "", parameters = {} } = (raw["function"] ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    throw new AppError({ code: "invalid_value", message: `${at}.function.name must be a name of letters, digits, _ and -.`, param: `${at}.function.name` });
  }
  try {
    const schema = (typeof parameters === "string" ? JSON.parse(parameters) : parameters) as JsonObject;
    return { name, description: String(description), parameters: schema, callers: true };
  } catch (cause) {
    throw new AppError({ code: "invalid_value", message: `${at}.function.parameters is not JSON.`, param: `${at}.function.parameters`, cause });
  }
}

function toolsOf(body: ChatBody, config: ServiceConfig, services: Services): Pick<RunRequest, "callerTools" | "builtinTools"> {
  const listed = (body.tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
  const callerTools = listed.filter(({ name }) => !services.tools.isFamily(name));
  if (config.mcp_tools_enabled === false || config.builtin_tools === "none") return { callerTools: listed, builtinTools: "none" };
  if (listed.length === 0 || config.builtin_tools === "all") return { callerTools, builtinTools: "all" };
  return { callerTools, builtinTools: listed.map(({ name }) => name).filter((name) => services.tools.isFamily(name)) };
}

const switchesOf = (config: ServiceConfig): RunRequest["toolSwitches"] =>
  defined({
    terminal_operations: config.enable_terminal_access,
    agent_operations: config.enable_workflow_mode,
    remote_execution: config.enable_remote_execution,
    increase_max_iterations: config.enable_dynamic_iterations,
  }) as RunRequest["toolSwitches"];

/** All dialects of a chat request folded into what a run is asked to do. */
export function readRequest(kind: RunRequest["kind"], body: ChatBody, request: EndpointRequest, services: Services): RunRequest {
  const config = configOf(body);
  const messages = readMessages(body.messages);
  return {
    kind,
    model: body.model,
    messages,
    ...toolsOf(body, config, services),
    sampling: samplingOf(body),
    includeReasoning: config.thinking?.include_thinking === true,
    toolSwitches: switchesOf(config),
    enableMemory: body.enable_memory !== false,
    customInstructions: body.custom_instructions ?? [],
    caller: request.caller,
    ...defined({
      thinking: thinkingOf(body, config),
      conversationId: conversationIdOf(body, request.headers),
      maxIterations: config.max_iterations ?? body.maxIterations,
      dynamicIterations: config.enable_dynamic_iterations,
      topic: body.topic,
      memoryCollectionId: config.memory_collection_id,
      sharedMemory: config.shared_memory_enabled,
      title: config.conversation_title,
      workingDirectory: config.working_directory,
      systemPromptId: body.system_prompt_id ?? config.system_prompt_id,
      personalityId: body.personality_id,
      statefulMarker: body.stateful_marker,
      onClientClose: config.on_client_close,
    }),
  };
}
