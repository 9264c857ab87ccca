import { chat, converse, get, send } from "./replay.mjs";

const headers = { "user-agent": "ktor-client", accept: "application/json" };

/** AI Assistant of JetBrains with Ollama: it chats, without tools of its own. */
export async function turn(context) {
  await get(context, "/", headers).catch(() => undefined);
  const { models } = await get(context, "/api/tags", headers);
  for (const { model } of models) await send(context, "/api/show", { model }, headers);
  return converse(context, {
    ask: async (messages) => {
      const { tool_calls: _, ...answer } = await chat(context, { model: context.model, messages }, headers);
      return answer;
    },
  });
}
