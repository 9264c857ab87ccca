import { PluginError } from "@pergola/sdk";
import type { JsonObject } from "@pergola/sdk";
import { openBuilt } from "./open-built.ts";

/** What the plugin says when it refuses to open; throws when it does not refuse. */
export async function refusalOf(dataDirectory: string, settings?: JsonObject): Promise<PluginError> {
  try {
    const storage = await openBuilt(dataDirectory, settings);
    await storage.close();
  } catch (error) {
    if (PluginError.is(error)) return error;
    throw error;
  }
  throw new Error("it was opened");
}
