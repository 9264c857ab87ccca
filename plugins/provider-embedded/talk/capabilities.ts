import type { OfferedTool } from "@pergola/sdk";
import { quoted } from "../results/quoted.ts";

const firstSentence = (text: string): string => /^[^\n]*?[.!?](?=\s|$)|^[^\n]*/.exec(text.trim())?.[0] ?? "";
const mostExamples = 4;

function lineFor({ name, description, operations = [] }: OfferedTool): string {
  const says = operations.flatMap(({ examples }) => examples.slice(0, 1).map(({ say }) => quoted(say)));
  const line = `- **${name.replaceAll("_", " ")}**: ${firstSentence(description)}`;
  if (says.length === 0) return line;
  return `${line} Say, for example: ${says.slice(0, mostExamples).join(", ")}.`;
}

/** What the guide can do with the tools it is offered. */
export function capabilities(tools: readonly OfferedTool[]): string {
  const start =
    "I am the built-in guide, not a large language model. " +
    "Say plainly what you want, and I use a tool for it.";
  const own = "I also explain how to connect a language model.";
  if (tools.length === 0) return `${start} No tools are switched on at the moment. ${own}`;
  return `${start} These are switched on:\n\n${tools.map(lineFor).join("\n")}\n\n${own}`;
}
