import { defined, type ChatMessage, type JsonObject, type ModelCall } from "@pergola/sdk";
import { contentText, nonEmpty, unreadableImage, wireTool, wireToolCall } from "@pergola/kit-provider";

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

/**
 * The server's body for a call; it knows no tool choice and no answer format. `model` is the path that the
 * server was started with.
 */
export function requestBody(call: ModelCall, model: string): JsonObject {
  const { messages, sampling, raw, thinking } = call;
  const always = { model, stream: true, stream_options: { include_usage: true } };
  if (raw !== undefined) return { ...raw, ...always };
  const tools = sampling.toolChoice === "none" ? [] : call.tools.map(wireTool);
  const body = defined({
    temperature: sampling.temperature,
    top_p: sampling.topP,
    max_tokens: sampling.maxTokens,
    repetition_penalty: sampling.repetitionPenalty,
    stop: sampling.stop,
    seed: sampling.seed,
    messages: messages.map(wireMessage),
    tools: nonEmpty(tools),
    chat_template_kwargs: thinking && { enable_thinking: thinking.mode !== "disabled" },
  });
  return { ...body, ...always };
}
