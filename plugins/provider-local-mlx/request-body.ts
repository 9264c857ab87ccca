import type { ChatMessage, JsonObject, ModelCall } from "@pergola/sdk";

const textOf = (content: ChatMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? [])
        .map((part) => (part.type === "text" ? part.text : "[a picture that the model can not see]"))
        .join("\n");

const wireMessage = ({ role, content, toolCalls, toolCallId }: ChatMessage): JsonObject => ({
  role,
  content: textOf(content),
  ...(toolCalls === undefined
    ? {}
    : {
        tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          type: "function",
          function: { name, arguments: args || "{}" },
        })),
      }),
  ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
});

/**
 * The server's body for a call; it knows no tool choice and no answer format. `model` is the path that the
 * server was started with.
 */
export function requestBody(
  { messages, tools, sampling, raw, thinking }: ModelCall,
  model: string,
): JsonObject {
  const always = { model, stream: true, stream_options: { include_usage: true } };
  if (raw !== undefined) return { ...raw, ...always };
  const { temperature, topP, maxTokens, repetitionPenalty, stop, seed, toolChoice } = sampling;
  const given = {
    temperature,
    top_p: topP,
    max_tokens: maxTokens,
    repetition_penalty: repetitionPenalty,
    stop: stop as string | undefined,
    seed,
  };
  const offered = toolChoice === "none" ? [] : tools;
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject),
    messages: messages.map(wireMessage),
    ...(offered.length === 0
      ? {}
      : {
          tools: offered.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description, parameters: parameters as JsonObject },
          })),
        }),
    ...(thinking === undefined
      ? {}
      : { chat_template_kwargs: { enable_thinking: thinking.mode !== "disabled" } }),
    ...always,
  };
}
