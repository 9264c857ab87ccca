import OpenAI from "openai";
import { description, name, parameters } from "./stone.mjs";

const tools = [{ type: "function", name, description, parameters, strict: true }];

async function ask(client, body, { streamed, signal, wroteText, wroteArguments }) {
  if (!streamed) return client.responses.create(body, { signal });
  for await (const event of await client.responses.create({ ...body, stream: true }, { signal })) {
    if (event.type === "response.output_text.delta") wroteText(event.delta);
    if (event.type === "response.function_call_arguments.delta") wroteArguments(event.delta);
    if (["response.completed", "response.failed"].includes(event.type)) return event.response;
  }
  throw new Error("The stream ended early.");
}

async function outputOf({ call_id, arguments: called }, { readStone }) {
  return { type: "function_call_output", call_id, output: await readStone(JSON.parse(called)) };
}

/** Responses without a memory at the service: all items are sent back every time. */
export async function turn(context) {
  const client = new OpenAI({ baseURL: `${context.url}/v1`, apiKey: "unused", maxRetries: 0 });
  const input = [...(context.state ?? []), { role: "user", content: context.prompt }];
  for (;;) {
    const response = await ask(client, { model: context.model, input, tools, store: false }, context);
    if (response.status === "failed") throw new Error(response.error.message);
    input.push(...response.output);
    const calls = response.output.filter(({ type }) => type === "function_call");
    const texts = response.output.flatMap(({ content = [] }) => content.map(({ text = "" }) => text));
    if (calls.length === 0) return { text: texts.join(""), state: input };
    input.push(...(await Promise.all(calls.map((call) => outputOf(call, context)))));
  }
}
