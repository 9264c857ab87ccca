import { OpenAI } from "@llamaindex/openai";
import { agent, agentStreamEvent } from "@llamaindex/workflow";
import { FunctionTool } from "llamaindex";
import { description, name, parameters } from "./stone.mjs";

/** A turn of the library's own agent, the history sent whole. */
export async function turn(context) {
  const { url, model, signal, readStone, wroteText } = context;
  const llm = new OpenAI({
    model,
    apiKey: "unused",
    baseURL: `${url}/v1`,
    maxRetries: 0,
    supportToolCall: true,
  });
  const mason = agent({ llm, tools: [FunctionTool.from(readStone, { name, description, parameters })] });
  const chatHistory = context.state ?? [];
  const run = mason.runStream(context.prompt, { chatHistory });
  let text = "";
  for await (const event of run) {
    signal.throwIfAborted();
    if (agentStreamEvent.include(event)) wroteText(event.data.delta);
    if (event.data?.result !== undefined) text = event.data.result;
  }
  return {
    text,
    state: [...chatHistory, { role: "user", content: context.prompt }, { role: "assistant", content: text }],
  };
}
