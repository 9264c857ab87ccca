import { defined, type ChatMessage, type JsonObject, type ModelCall } from "@pergola/sdk";
import {
  contentText,
  hasImage,
  nonEmpty,
  unreadableImage,
  wireTool,
  wireToolCall,
} from "@pergola/kit-provider";
import { buildSampling } from "./build-sampling.ts";

function wireMessage({ role, content, toolCalls, toolCallId }: ChatMessage): JsonObject {
  const calls = toolCalls?.map((call) => wireToolCall({ ...call, arguments: call.arguments || "{}" }));
  const message = {
    role,
    content: contentText(content, unreadableImage),
    tool_calls: calls,
    tool_call_id: toolCallId,
  };
  return defined(message);
}

interface BuiltRequest {
  /** Without the model. */
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** The server's body for a call; what it cannot say is left out with a warning. */
export function buildRequest(call: ModelCall): BuiltRequest {
  const { messages, sampling, raw, thinking } = call;
  const always = { stream: true, stream_options: { include_usage: true } };
  if (raw !== undefined) return { body: { ...raw, ...always }, warnings: [] };
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  if (messages.some(hasImage)) warn("the model reads no pictures; they were left out");
  const tools = sampling.toolChoice === "none" ? [] : call.tools.map(wireTool);
  const fields = defined({
    ...buildSampling(call, warn),
    messages: messages.map(wireMessage),
    tools: nonEmpty(tools),
    chat_template_kwargs: thinking && { enable_thinking: thinking.mode !== "disabled" },
  });
  return { body: { ...fields, ...always }, warnings };
}
