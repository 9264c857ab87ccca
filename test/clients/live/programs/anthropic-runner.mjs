import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { description, name, parameters } from "./stone.mjs";

async function follow(stream, { wroteText, wroteArguments }) {
  for await (const { delta } of stream) {
    if (delta?.type === "text_delta") wroteText(delta.text);
    if (delta?.type === "input_json_delta") wroteArguments(delta.partial_json);
  }
}

/** The library's own loop with tools. */
export async function turn(context) {
  const { url, model, streamed, signal, readStone } = context;
  const client = new Anthropic({ baseURL: url, apiKey: "unused", maxRetries: 0 });
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  const tools = [betaTool({ name, description, inputSchema: parameters, run: readStone })];
  const body = { model, max_tokens: 1000, messages, tools, stream: streamed };
  const runner = client.beta.messages.toolRunner(body, { signal });
  if (streamed) for await (const stream of runner) await follow(stream, context);
  const last = streamed ? await runner.done() : await runner.runUntilDone();
  const text = last.content.map((block) => block.text ?? "").join("");
  const history = runner.params.messages;
  const isThere = history.at(-1)?.role === "assistant";
  return { text, state: isThere ? history : [...history, { role: "assistant", content: last.content }] };
}
