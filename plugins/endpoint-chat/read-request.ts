import { selectTools, nonEmpty, type Warn } from "@pergola/kit-provider";
import {
  AppError,
  defined,
  type EndpointRequest,
  type JsonObject,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { ChatBody, ServiceConfig } from "./body-schema.ts";
import { readMessages } from "./read-messages.ts";
import { readSampling } from "./read-sampling.ts";
import { readThinking } from "./read-thinking.ts";
import { readTool } from "./read-tools.ts";

/** service_config wins over its older spelling, key by key. */
export const configOf = ({ service_config: config, sam_config: older }: ChatBody): ServiceConfig => ({
  ...older,
  ...config,
});

const idKeys = ["conversationId", "conversation_id", "session_id", "sessionId", "context_id", "contextId"];

/**
 * The first id that is not empty. It is looked up in the body as it came, where an empty canonical key does
 * not hide the next one.
 */
function conversationIn(
  { rawBody, headers }: EndpointRequest,
  callerTools: readonly unknown[],
): Pick<RunRequest, "conversationId" | "sendsWholeHistory"> {
  const raw = rawBody as JsonObject;
  const named = idKeys.map((key) => raw[key]).find((id) => typeof id === "string" && id !== "");
  if (typeof named === "string") return { conversationId: named };
  const session = headers["x-session-id"];
  if (typeof session !== "string" || session === "") return {};
  return { conversationId: session, sendsWholeHistory: callerTools.length > 0 };
}

const switchesOf = (config: ServiceConfig): RunRequest["toolSwitches"] =>
  defined({
    terminal_operations: config.enable_terminal_access,
    agent_operations: config.enable_workflow_mode,
    remote_execution: config.enable_remote_execution,
    increase_max_iterations: config.enable_dynamic_iterations,
  });

const noMessages = (): AppError =>
  new AppError({
    code: "invalid_value",
    message: "messages needs at least one message, unless parentMessageId names the message to answer anew.",
    param: "messages",
  });

/** Turns a chat request of any dialect into the request for a run. */
export function readRequest(
  kind: RunRequest["kind"],
  body: ChatBody,
  request: EndpointRequest,
  services: Services,
): RunRequest {
  const config = configOf(body);
  const { parentMessageId = config.parentMessageId } = body;
  if (body.messages.length === 0 && parentMessageId === undefined) throw noMessages();
  const warnings: string[] = [];
  const warn: Warn = (text) => void warnings.push(text);
  const messages = readMessages(body.messages, warn);
  const tools = selectTools(body.tools, services, config, { group: "chat", read: readTool, warn });
  return {
    kind,
    model: body.model,
    messages,
    ...tools,
    ...conversationIn(request, tools.callerTools),
    sampling: readSampling(body, warn),
    includeReasoning: config.thinking?.include_thinking === true,
    toolSwitches: switchesOf(config),
    enableMemory: body.enable_memory !== false,
    customInstructions: [body.custom_instructions, body.mini_prompts, body.mini_prompt_ids].flatMap(
      (names = []) => names,
    ),
    caller: request.caller,
    ...defined({
      warnings: nonEmpty(warnings),
      thinking: readThinking(body, config),
      newConversation: config.new_conversation,
      parentMessageId,
      maxIterations: config.max_iterations ?? body.maxIterations,
      dynamicIterations: config.enable_dynamic_iterations,
      topic: body.topic || undefined,
      memoryCollectionId: config.memory_collection_id?.toLowerCase() || undefined,
      sharedMemory: config.shared_memory_enabled,
      title: config.conversation_title,
      workingDirectory: config.working_directory,
      systemPromptId: body.system_prompt_id ?? config.system_prompt_id,
      personalityId: body.personality_id,
      statefulMarker: body.stateful_marker,
      stream: body.stream ?? undefined,
      toolEvents: body.stream_options?.include_tool_events,
      onClientClose: config.on_client_close,
    }),
  };
}
