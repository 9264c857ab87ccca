import { mapChatMessagesToStoredMessages, mapStoredMessagesToChatMessages } from "@langchain/core/messages";
import { HumanMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import { description, name, parameters } from "./stone.mjs";

async function stream(agent, input, { signal, wroteText, wroteArguments }) {
  let last;
  for await (const [mode, value] of await agent.stream(input, {
    signal,
    streamMode: ["messages", "values"],
  })) {
    if (mode === "values") last = value;
    if (mode !== "messages") continue;
    if (value[0].getType() !== "ai") continue;
    wroteText(value[0].text);
    for (const { args } of value[0].tool_call_chunks ?? []) wroteArguments(args ?? "");
  }
  return last;
}

/** A turn of the library's own agent with the given model, the history sent whole. */
export async function turnWith(model, context) {
  const read = tool(context.readStone, { name, description, schema: parameters });
  const agent = createAgent({ model, tools: [read] });
  const before = context.state ? mapStoredMessagesToChatMessages(context.state) : [];
  const input = { messages: [...before, new HumanMessage(context.prompt)] };
  const { messages } = context.streamed
    ? await stream(agent, input, context)
    : await agent.invoke(input, { signal: context.signal });
  return { text: messages.at(-1).text, state: mapChatMessagesToStoredMessages(messages) };
}
