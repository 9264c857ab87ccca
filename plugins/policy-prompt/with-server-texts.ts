import { messageOf, type RunContext, type Services } from "@pergola/sdk";
import type { MiniPrompt } from "@pergola/sdk/host";

type Scene = Pick<RunContext, "runId" | "request" | "signal" | "warn">;

/** Mini prompts with the texts of those that MCP servers give; one that is not given is warned about. */
export async function withServerTexts(
  chosen: readonly MiniPrompt[],
  { runId, request, signal, warn }: Scene,
  mcpServers: Services["mcpServers"],
): Promise<readonly MiniPrompt[]> {
  const { caller } = request;
  const complete = async (prompt: MiniPrompt): Promise<MiniPrompt | undefined> => {
    if (prompt.mcp === undefined) return prompt;
    const call = { command: prompt.mcp.command, words: "", runId, caller, signal };
    try {
      return { ...prompt, content: (await mcpServers?.prompts.expand(call)) ?? "" };
    } catch (error) {
      warn(`The mini prompt ${prompt.name} was left out. ${messageOf(error)}`);
      return undefined;
    }
  };
  const all = await Promise.all(chosen.map(complete));
  return all.filter((prompt) => prompt !== undefined);
}
