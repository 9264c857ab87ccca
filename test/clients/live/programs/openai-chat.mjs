import OpenAI from "openai";
import { description, name, parameters } from "./stone.mjs";

const tools = [{ type: "function", function: { name, description, parameters } }];

async function ask(client, body, { streamed, signal, wroteText, wroteArguments }) {
  if (!streamed) return (await client.chat.completions.create(body, { signal })).choices[0].message;
  const stream = client.chat.completions
    .stream(body, { signal })
    .on("content.delta", ({ delta }) => wroteText(delta))
    .on("tool_calls.function.arguments.delta", ({ arguments_delta: delta }) => wroteArguments(delta));
  return stream.finalMessage();
}

/** Chat completions, the history sent whole with every request. */
export async function turn(context) {
  const client = new OpenAI({ baseURL: `${context.url}/v1`, apiKey: "unused", maxRetries: 0 });
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  for (;;) {
    const {
      role,
      content,
      tool_calls: calls,
    } = await ask(client, { model: context.model, messages, tools }, context);
    messages.push({ role, content, ...(calls?.length ? { tool_calls: calls } : {}) });
    if (!calls?.length) return { text: content, state: messages };
    for (const { id, function: called } of calls) {
      const stone = await context.readStone(JSON.parse(called.arguments));
      messages.push({ role: "tool", tool_call_id: id, content: stone });
    }
  }
}
