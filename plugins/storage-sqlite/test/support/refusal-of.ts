import { PluginError } from "@pergola/sdk";
import type { JsonObject } from "@pergola/sdk";
import { openBuilt } from "./open-built.ts";

/** What the plugin says when it refuses to open; throws when it does not refuse. */
export async function refusalOf(dataDirectory: string, settings?: JsonObject): Promise<PluginError> {
  const storage = await openBuilt(dataDirectory, settings).catch((error: unknown) => error);
  if (PluginError.is(storage)) return storage;
  if (storage instanceof Error) throw storage;
  throw new Error("it was opened");
}
