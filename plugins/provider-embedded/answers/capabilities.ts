import type { OfferedTool } from "@pergola/sdk";
import { escaped } from "../language/escaped.ts";

const firstSentence = (text: string): string => /^[^\n]*?[.!?](?=\s|$)|^[^\n]*/.exec(text.trim())?.[0] ?? "";
const spaced = (name: string): string => name.replaceAll("_", " ");

function lineFor({ name, description, operations = [] }: OfferedTool): string {
  const said = operations
    .flatMap(({ examples }) => examples.slice(0, 1).map(({ say }) => `“${say}”`))
    .slice(0, 4);
  return `- **${spaced(name)}**: ${firstSentence(description)}${said.length === 0 ? "" : ` Say, for example: ${said.join(", ")}.`}`;
}

/** What the guide can do with the tools it is offered. */
export function capabilities(tools: readonly OfferedTool[]): string {
  const lines = tools.map(lineFor);
  const start =
    "I am the built-in guide, not a large language model. Tell me plainly what you want, and I use a tool for it.";
  const own =
    "I also answer from what you told me in this conversation, and I explain how to connect a language model.";
  return lines.length === 0
    ? `${start} No tools are switched on at the moment. ${own}`
    : `${start} These are switched on:\n\n${lines.join("\n")}\n\n${own}`;
}

/** What one operation does, when the message names it. */
export function explainOperation(message: string, tools: readonly OfferedTool[]): string | undefined {
  if (
    !/\b(?:explain|describe|what (?:does|is|are)|how does|how do i use|tell me about|help (?:with|on|about))\b/i.test(
      message,
    )
  )
    return undefined;
  const all = tools.flatMap(({ name, description, operations = [] }) => [
    { name, description, examples: [] },
    ...operations,
  ]);
  const found = all.find(
    ({ name }) => name.includes("_") && new RegExp(`\\b${escaped(name)}\\b`, "i").test(message),
  );
  const say = found?.examples[0]?.say;
  return found === undefined
    ? undefined
    : `\`${found.name}\`: ${firstSentence(found.description)}${say === undefined ? "" : ` For example: “${say}”.`}`;
}
