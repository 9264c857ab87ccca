import { createMemory, loadMemory } from "@llamaindex/core/memory";
import { OpenAI } from "@llamaindex/openai";
import { agent, agentStreamEvent, stopAgentEvent } from "@llamaindex/workflow";
import { FunctionTool } from "llamaindex";
import { description, name, parameters } from "./stone.mjs";

const aborted = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

async function follow(run, { wroteText }) {
  let text = "";
  for await (const event of run) {
    if (agentStreamEvent.include(event)) wroteText(event.data.delta);
    if (stopAgentEvent.include(event)) text = event.data.result;
  }
  return text;
}

/** A turn of the library's own agent, its memory sent whole. The library cannot be aborted: the program ends. */
export async function turn(context) {
  const { url, model, signal, readStone } = context;
  const baseURL = `${url}/v1`;
  const llm = new OpenAI({ model, apiKey: "unused", baseURL, maxRetries: 0, supportToolCall: true });
  const memory = context.state ? loadMemory(context.state) : createMemory();
  const tools = [FunctionTool.from(readStone, { name, description, parameters })];
  const run = agent({ llm, tools, memory }).runStream(context.prompt);
  const text = await Promise.race([follow(run, context), aborted(signal)]);
  return { text, state: memory.snapshot() };
}
