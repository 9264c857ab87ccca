import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { McpPrompt } from "@pergola/sdk/host";
import { tell, type Ends, type Session } from "./session.ts";

interface Skills {
  readonly skills: readonly { readonly name: string; readonly description: string }[];
}

interface Prompts {
  readonly prompts: readonly { readonly mcp?: McpPrompt }[];
}

const hintOf = ({ arguments: fields }: McpPrompt): string =>
  fields.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" ");

const commandOf = (prompt: McpPrompt): AvailableCommand => ({
  name: prompt.command,
  description: prompt.description || `A prompt of the MCP server ${prompt.server}`,
  ...(prompt.arguments.length > 0 && { input: { hint: hintOf(prompt) } }),
});

/** What a prompt may begin with behind a slash: the skills of the folder, and the prompts of MCP servers. */
async function commandsOf({ service }: Ends, { directory }: Session): Promise<readonly AvailableCommand[]> {
  const where = service.isElsewhere ? "" : `?workingDirectory=${encodeURIComponent(directory)}`;
  const [{ skills }, { prompts }] = await Promise.all([
    service.send<Skills>("GET", `/api/skills${where}`).catch(() => ({ skills: [] })),
    service.send<Prompts>("GET", "/api/prompts/mini").catch((): Prompts => ({ prompts: [] })),
  ]);
  const called = skills.map(({ name, description }) => ({ name, description }));
  return [...called, ...prompts.flatMap(({ mcp }) => (mcp === undefined ? [] : commandOf(mcp)))];
}

/** Tells the editor the commands where they are others than it was told before. */
export async function tellCommands(ends: Ends, session: Session): Promise<void> {
  const availableCommands = [...(await commandsOf(ends, session))];
  const key = JSON.stringify(availableCommands);
  if (key === session.toldCommands) return;
  session.toldCommands = key;
  await tell(ends, session, { sessionUpdate: "available_commands_update", availableCommands });
}
