import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { description, name } from "./stone.mjs";

async function follow(output, { wroteText, wroteArguments }) {
  for await (const { type, payload } of output.fullStream) {
    if (type === "text-delta") wroteText(payload.text);
    if (type === "tool-call-delta") wroteArguments(payload.argsTextDelta);
    if (type === "error") throw payload.error;
  }
}

/** A turn of the library's own agent, the history sent whole. */
export async function turn(context) {
  const { url, model, streamed, signal, readStone } = context;
  const inputSchema = z.object({ file: z.string() });
  const execute = (input) => readStone(input);
  const agent = new Agent({
    id: "mason",
    name: "Mason",
    instructions: "Read stones.",
    model: { id: `pergola/${model}`, url: `${url}/v1`, apiKey: "unused" },
    maxRetries: 0,
    tools: { [name]: createTool({ id: name, description, inputSchema, execute }) },
  });
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  const options = { maxSteps: 9, abortSignal: signal };
  const output = streamed ? await agent.stream(messages, options) : await agent.generate(messages, options);
  if (streamed) await follow(output, context);
  if (signal.aborted) throw new Error("aborted");
  const steps = await output.steps;
  const { messages: added } = await output.response;
  return { text: steps.at(-1).text, state: [...messages, ...added] };
}
