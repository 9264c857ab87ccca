import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { description, parameters } from "./stone.mjs";

async function follow(result, { wroteText, wroteArguments }) {
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") wroteText(part.text);
    if (part.type === "tool-input-delta") wroteArguments(part.delta);
    if (part.type === "error") throw part.error;
  }
}

/** A turn with the given model: the library's own loop, the history sent whole. */
export async function turnWith(model, context) {
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  const tools = {
    read_stone: tool({ description, inputSchema: jsonSchema(parameters), execute: context.readStone }),
  };
  const stopWhen = stepCountIs(9);
  const options = { model, messages, tools, stopWhen, maxRetries: 0, abortSignal: context.signal };
  const result = context.streamed
    ? streamText({ ...options, onError: () => undefined })
    : await generateText(options);
  if (context.streamed) await follow(result, context);
  const response = await result.response;
  const steps = await result.steps;
  const added = (await result.responseMessages) ?? response.messages;
  return { text: steps.at(-1).text, state: [...messages, ...added] };
}
