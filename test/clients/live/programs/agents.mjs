import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { description, name, parameters } from "./stone.mjs";

function streamPiece({ type, data }, { wroteText, wroteArguments }) {
  if (type !== "raw_model_stream_event") return;
  if (data.type === "output_text_delta") wroteText(data.delta);
  const { event } = data;
  if (event?.type === "response.function_call_arguments.delta") wroteArguments(event.delta);
}

/** A turn of an agent whose memory is the given session, a response before it, or the history. */
export async function turnOf(context, { input = context.prompt, useResponses = true, ...memory }) {
  const { url, model, streamed, signal, readStone } = context;
  const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "unused", useResponses });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const errorFunction = null;
  const read = tool({ name, description, parameters, strict: true, execute: readStone, errorFunction });
  const agent = new Agent({ name: "Mason", instructions: "Read stones.", model, tools: [read] });
  const result = await runner.run(agent, input, { stream: streamed, signal, ...memory });
  if (streamed) {
    for await (const event of result) streamPiece(event, context);
    await result.completed;
  }
  if (signal.aborted) throw new Error("aborted");
  return result;
}
