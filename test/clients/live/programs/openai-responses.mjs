import OpenAI from "openai";
import { description, name, parameters } from "./stone.mjs";

const tools = [{ type: "function", name, description, parameters, strict: true }];

async function ask(client, body, { streamed, signal, wroteText, wroteArguments }) {
  if (!streamed) return client.responses.create(body, { signal });
  const stream = client.responses
    .stream(body, { signal })
    .on("response.output_text.delta", ({ delta }) => wroteText(delta))
    .on("response.function_call_arguments.delta", ({ delta }) => wroteArguments(delta));
  return stream.finalResponse();
}

async function outputOf({ call_id, arguments: called }, { readStone }) {
  return { type: "function_call_output", call_id, output: await readStone(JSON.parse(called)) };
}

/** Responses that continue one another: only what is new is sent. */
export async function turn(context) {
  const client = new OpenAI({ baseURL: `${context.url}/v1`, apiKey: "unused", maxRetries: 0 });
  let input = [{ role: "user", content: context.prompt }];
  let previous = context.state ?? null;
  for (;;) {
    const body = { model: context.model, input, tools, previous_response_id: previous };
    const response = await ask(client, body, context);
    if (response.status === "failed") throw new Error(response.error.message);
    previous = response.id;
    const calls = response.output.filter(({ type }) => type === "function_call");
    if (calls.length === 0) return { text: response.output_text, state: previous };
    input = await Promise.all(calls.map((call) => outputOf(call, context)));
  }
}
