import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OfferedTool, Plugin, Tool } from "@pergola/sdk";
import { offerOf } from "../../../plugins/service-tools/describe-tool.ts";
import { fitOffers, formsOf, offerRoom } from "../../../plugins/service-tools/short-offers.ts";

const plugins = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../plugins");
const ids = readdirSync(plugins).filter((id) => id.startsWith("tool-"));

async function toolsOf(id: string): Promise<readonly Tool[]> {
  const { default: plugin } = (await import(pathToFileURL(path.join(plugins, id, "index.ts")).href)) as {
    readonly default: Plugin;
  };
  return plugin.tools ?? [];
}

/** What a local model has at least. */
export const room = offerRoom(32_768, "auto");

/**
 * Every tool family of the repository as the host offers them to a model when all are on: shortened where
 * they are too long together.
 */
export async function loadCatalogue(): Promise<readonly OfferedTool[]> {
  const tools = (await Promise.all(ids.map(toolsOf))).flat();
  return fitOffers(
    tools.map((tool) => ({ forms: formsOf(offerOf(tool)), uses: 0 })),
    room,
  );
}
