import { messageOf, PluginError } from "@pergola/sdk";
import { providesOf, type IsolatedPlugin } from "@pergola/sdk/host";
import type { FoundPlugin } from "./discover.ts";
import { manifestFaults } from "./manifest.ts";
import { correct } from "./prepare-tool-files.ts";
import { withoutTypes } from "./without-types.ts";

/**
 * A single file as a plugin, with what it asks for and brings, by the word of its process. Rejects with
 * PluginError that names the file, the line where it is known, and what to do.
 */
export async function completeFile(
  found: FoundPlugin,
  start: (found: FoundPlugin) => Promise<IsolatedPlugin>,
): Promise<FoundPlugin> {
  const { id, file } = found;
  if (file === undefined) return found;
  const refuse = (message: string): PluginError =>
    new PluginError(id, "import", `${file.path}, ${message}`, { remedy: correct(file) });
  const opened = await start(found).catch(async (error: unknown) => {
    if (PluginError.is(error)) throw error;
    throw refuse(await withLine(messageOf(error), file.text));
  });
  await opened.stop();
  const { tools = [], permissions = {} } = opened;
  const faults = manifestFaults({ id, kind: "tool", sdk: "^1", permissions });
  if ("secrets" in permissions)
    faults.push("permissions.secrets is for plugins with settings; make a plugin of it.");
  if (faults.length > 0) throw refuse(faults.join(" "));
  const description = tools[0]?.description ?? "";
  return { ...found, description, permissions, provides: providesOf({ tools }, []) };
}

/** Node does not say where a file is no JavaScript; who reads TypeScript does. */
async function withLine(message: string, text: string): Promise<string> {
  if (message.startsWith("line ")) return message;
  const fault = await withoutTypes(text).then(() => undefined, messageOf);
  return fault ?? message;
}
