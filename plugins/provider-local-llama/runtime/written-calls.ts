import type { OfferedTool, ToolCall } from "@pergola/sdk";
import { argumentsOf } from "@pergola/kit-provider";
import type { TurnMessage } from "../messages.ts";
import { callEnd, callStart } from "./marks.ts";

const introduction = `You can call these tools:`;
const form = `To call one, write nothing but
${callStart}
{"name": "<name of the tool>", "arguments": {<its arguments>}}
${callEnd}
The results come in <tool_response> blocks.`;

function writeCall(call: ToolCall): string {
  const json = JSON.stringify({ name: call.name, arguments: argumentsOf(call) });
  return `${callStart}\n${json}\n${callEnd}`;
}

/** Tools, calls and results as plain text, for models whose template has no place for them. */
export function writeCalls(
  messages: readonly TurnMessage[],
  tools: readonly OfferedTool[],
): readonly TurnMessage[] {
  const written = messages.map((message): TurnMessage => {
    const { role, content, toolCalls = [] } = message;
    if (role === "tool") return { role: "user", content: `<tool_response>\n${content}\n</tool_response>` };
    if (toolCalls.length === 0) return message;
    return { role, content: [content, ...toolCalls.map(writeCall)].filter(Boolean).join("\n") };
  });
  if (tools.length === 0) return written;
  const described = tools
    .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
    .join("\n");
  const text = `${introduction}\n${described}\n${form}`;
  const [first, ...rest] = written;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...written];
  return [{ role: "system", content: `${first.content}\n\n${text}` }, ...rest];
}
