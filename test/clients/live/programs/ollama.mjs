import { Ollama } from "ollama";
import { description, name, parameters } from "./stone.mjs";

const tools = [{ type: "function", function: { name, description, parameters } }];

async function ask(client, body, { streamed, wroteText }) {
  if (!streamed) return (await client.chat(body)).message;
  const whole = { role: "assistant", content: "", tool_calls: [] };
  for await (const { message } of await client.chat({ ...body, stream: true })) {
    if (message.content !== "") wroteText(message.content);
    whole.content += message.content;
    whole.tool_calls.push(...(message.tool_calls ?? []));
  }
  return whole;
}

/** Ollama's own library, the history sent whole with every request. */
export async function turn(context) {
  const client = new Ollama({ host: context.url });
  context.signal.addEventListener("abort", () => client.abort());
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  for (;;) {
    const answer = await ask(client, { model: context.model, messages, tools }, context);
    messages.push(answer);
    if (!answer.tool_calls?.length) return { text: answer.content, state: messages };
    for (const { function: called } of answer.tool_calls) {
      const content = await context.readStone(called.arguments);
      messages.push({ role: "tool", tool_name: called.name, content });
    }
  }
}
