import type { McpPrompt } from "@pergola/sdk/host";
import { askLine } from "../ask-person.ts";
import { printWrapped } from "../print-result.ts";
import { visible } from "../visible.ts";
import type { ChatCommand, ChatSession } from "./chat-command.ts";

type Asked = Pick<ChatSession, "service">;

interface Listed {
  readonly prompts: readonly { readonly mcp?: McpPrompt }[];
}

/** The prompts of MCP servers, which are commands too; none of a service without any. */
export async function serverPrompts({ service }: Asked): Promise<readonly McpPrompt[]> {
  const { prompts: all } = await service.get<Listed>("/api/prompts/mini").catch(() => ({ prompts: [] }));
  return all.flatMap(({ mcp }) => mcp ?? []);
}

const usageOf = ({ command, arguments: fields }: McpPrompt): string =>
  [`/${command}`, ...fields.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))].join(" ");

export const prompts: ChatCommand = {
  names: ["prompts"],
  summary: "list the prompts of MCP servers; / and the name of one calls it",
  async run(session) {
    const found = await serverPrompts(session);
    const lines = found.map((prompt) => visible(`${usageOf(prompt)}  ${prompt.description}`));
    printWrapped(lines.length > 0 ? lines : ["No MCP server has prompts."]);
    return undefined;
  },
};

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/**
 * The line that calls a prompt; without words, the person is asked for what the prompt needs. Undefined where
 * they leave.
 */
export async function completeCall(
  { command, arguments: fields }: McpPrompt,
  words: string,
): Promise<string | undefined> {
  if (words !== "") return `/${command} ${words}`;
  const values: string[] = [];
  for (const { name, description } of fields.filter(({ required }) => required)) {
    const value = await askLine(visible(description === "" ? name : `${name}: ${description}`));
    if (value === undefined) return undefined;
    values.push(quoted(value));
  }
  return [`/${command}`, ...values].join(" ");
}
