import Anthropic from "@anthropic-ai/sdk";
import { description, name, parameters } from "./stone.mjs";

const tools = [{ name, description, input_schema: parameters }];

async function ask(client, body, { streamed, signal, wroteText, wroteArguments }) {
  if (!streamed) return client.messages.create(body, { signal });
  const stream = client.messages
    .stream(body, { signal })
    .on("text", wroteText)
    .on(
      "streamEvent",
      ({ delta }) => delta?.type === "input_json_delta" && wroteArguments(delta.partial_json),
    );
  return stream.finalMessage();
}

async function resultOf({ id, input }, { readStone }) {
  return { type: "tool_result", tool_use_id: id, content: await readStone(input) };
}

/** Messages, the history sent whole with every request. */
export async function turn(context) {
  const client = new Anthropic({ baseURL: context.url, apiKey: "unused", maxRetries: 0 });
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  for (;;) {
    const body = { model: context.model, max_tokens: 1000, messages, tools };
    const { content } = await ask(client, body, context);
    messages.push({ role: "assistant", content });
    const calls = content.filter(({ type }) => type === "tool_use");
    const text = content.map((block) => block.text ?? "").join("");
    if (calls.length === 0) return { text, state: messages };
    messages.push({ role: "user", content: await Promise.all(calls.map((call) => resultOf(call, context))) });
  }
}
