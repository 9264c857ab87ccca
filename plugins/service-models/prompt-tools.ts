import type { ChatMessage, Json, ModelCall, OfferedTool, ToolCall } from "@pergola/sdk";
import { contentText, memoizePerTool, parseJson, partsOf, readToolChoice } from "@pergola/kit-provider";

const introduction = [
  "# Tools",
  "You can call tools. To call one, write a block of this form, with the tool's name and its arguments " +
    "as one JSON object:",
  '<tool_call>{"name": "the_tool", "arguments": {"parameter": "value"}}</tool_call>',
  "Write one block for each call and then end your answer: the results come with the next message, in " +
    "<tool_response> blocks. Never write a result yourself. The tools, with the JSON Schema of " +
    "their arguments:",
].join("\n\n");

const toolJson = memoizePerTool(({ name, description, parameters }) =>
  JSON.stringify({ name, description, parameters }),
);

function demand(toolChoice: Json | undefined): string {
  const choice = readToolChoice(toolChoice);
  if (choice?.mode === "required") return "\n\nYour answer must call a tool.";
  if (choice?.mode === "tool") return `\n\nYour answer must call ${choice.name}.`;
  return "";
}

const described = (tools: readonly OfferedTool[], choice: Json | undefined): string =>
  `${introduction}\n\n${tools.map((tool) => toolJson(tool)).join("\n")}${demand(choice)}`;

function valueOf(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) return text;
  return value;
}

const callBlock = ({ name, arguments: args }: ToolCall): string =>
  `<tool_call>${JSON.stringify({ name, arguments: valueOf(args || "{}") })}</tool_call>`;

const responseBlock = (name: string | undefined, text: string): string =>
  `<tool_response>${JSON.stringify({ name: name ?? "tool", content: valueOf(text) })}</tool_response>`;

function append(content: ChatMessage["content"], text: string): ChatMessage["content"] {
  if (content === null || content === "") return text;
  if (typeof content === "string") return `${content}\n\n${text}`;
  return [...content, { type: "text", text }];
}

function asText(message: ChatMessage): ChatMessage {
  const { toolCalls = [], toolCallId: _, name, ...rest } = message;
  if (message.role === "tool") {
    const block = responseBlock(name, contentText(message.content));
    const images = partsOf(message.content).filter((part) => part.type !== "text");
    if (images.length === 0) return { role: "user", content: block };
    return { role: "user", content: [{ type: "text", text: block }, ...images] };
  }
  if (toolCalls.length === 0) return message;
  return {
    ...rest,
    content: append(message.content, toolCalls.map(callBlock).join("\n")),
  };
}

/** The results of one answer's calls are one message. */
function joinResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const [at, message] of messages.entries()) {
    const text = asText(message);
    const last = joined.at(-1);
    const follows = message.role === "tool" && messages[at - 1]?.role === "tool" && last !== undefined;
    if (follows) joined[joined.length - 1] = { ...last, content: both(last.content, text.content) };
    else joined.push(text);
  }
  return joined;
}

function both(first: ChatMessage["content"], second: ChatMessage["content"]): ChatMessage["content"] {
  if (typeof first === "string" && typeof second === "string") return `${first}\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function instructed(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ ...first, content: append(first.content, text) }, ...rest];
}

/**
 * The call for a model that knows no tools: they are described at the end of the first system message, so
 * that it stays the same from call to call, and earlier calls and results become text.
 * `readWrittenCalls` reads what the model answers.
 */
export function withPromptTools(call: ModelCall): ModelCall {
  const { toolChoice, parallelToolCalls: _, ...sampling } = call.sampling;
  let messages = joinResults(call.messages);
  if (toolChoice !== "none") messages = instructed(messages, described(call.tools, toolChoice));
  return {
    ...call,
    messages,
    tools: [],
    sampling,
  };
}
