import { chat, converse, get } from "./replay.mjs";
import { description, name, parameters } from "./stone.mjs";

const headers = { "user-agent": "ollama-python" };
const tools = [{ type: "function", function: { name, description, parameters } }];
const system = { role: "system", content: "You are a voice assistant for Home Assistant." };

/** The integration Ollama of Home Assistant: its history has no ids of calls, and its answers name no tool. */
export async function turn(context) {
  await get(context, "/api/tags", headers);
  return converse(context, {
    ask: async (messages) => {
      const { tool_calls: calls, ...message } = await chat(
        context,
        {
          model: context.model,
          messages: [system, ...messages],
          tools,
          options: { num_ctx: 8192 },
          keep_alive: "-1s",
          think: false,
        },
        headers,
      );
      return { ...message, tool_calls: calls.map(({ function: called }) => ({ function: called })) };
    },
    toolMessage: (_, content) => ({ role: "tool", content: JSON.stringify({ result: content }) }),
  });
}
