import { chat, converse, get } from "./replay.mjs";
import { description, name, parameters } from "./stone.mjs";

const tools = [{ type: "function", function: { name, description, parameters } }];

/** Open WebUI with Ollama: it keeps the form of chat completions, with arguments as objects. */
export async function turn(context) {
  await get(context, "/api/version");
  await get(context, "/api/tags");
  await get(context, "/api/ps");
  return converse(context, {
    ask: async (messages) => {
      const answer = await chat(context, { model: context.model, messages, tools, options: {} });
      const calls = answer.tool_calls.map((call, index) => ({ index, id: `call_${index}`, ...call }));
      return { ...answer, tool_calls: calls };
    },
    toolMessage: ({ id }, content) => ({ role: "tool", tool_call_id: id, content }),
  });
}
