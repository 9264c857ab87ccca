import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Effect, OfferedOperation, OfferedTool, Operation, Plugin, Tool } from "@pergola/sdk";

const plugins = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../plugins");
const ids = readdirSync(plugins).filter((id) => id.startsWith("tool-"));

const effectsOf = ({ effect, effects }: Operation): readonly Effect[] => effects ?? (typeof effect === "string" ? [effect] : ["execute"]);

const offeredOperation = (operation: Operation): OfferedOperation => {
  const { name, description, parameters, required, examples = [] } = operation;
  return { name, description, effects: effectsOf(operation), parameters, required, examples };
};

/** A tool as the host offers it to a model: without its hidden operations. */
const offered = ({ name, description, operations }: Tool): OfferedTool => ({
  name,
  description,
  parameters: { type: "object" },
  operations: operations.filter(({ hidden }) => hidden !== true).map(offeredOperation),
});

async function toolsOf(id: string): Promise<readonly Tool[]> {
  const { default: plugin } = (await import(pathToFileURL(path.join(plugins, id, "index.ts")).href)) as { readonly default: Plugin };
  return plugin.tools ?? [];
}

/** Every tool family of the repository, from its plugin. */
export async function loadCatalogue(): Promise<readonly OfferedTool[]> {
  return (await Promise.all(ids.map(toolsOf))).flat().map(offered);
}
