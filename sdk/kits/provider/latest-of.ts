import type { Services } from "@pergola/sdk";

/**
 * The id of a model that a client of Ollama names: these put `:latest` behind names without a tag. It is cut
 * off unless a model has it in its name.
 */
export async function latestOf(
  name: string,
  models: Pick<Services["models"], "list">,
  signal: AbortSignal,
): Promise<string> {
  if (!name.endsWith(":latest")) return name;
  const listed = await models.list(signal);
  const isName = listed.some((model) => model.modelId === name || model.name === name);
  return isName ? name : name.slice(0, -":latest".length);
}
