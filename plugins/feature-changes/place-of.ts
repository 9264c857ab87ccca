import path from "node:path";
import type { Files } from "@pergola/sdk";

/**
 * Where an entry itself stands, a link not followed. A folder for calendars, contacts or notes in the data
 * directory may be changed although what holds it is closed: it is looked at by itself, and must be no link.
 */
export async function placeOf(files: Pick<Files, "resolve">, file: string): Promise<string> {
  try {
    const { real } = await files.resolve(path.dirname(file));
    return path.join(real, path.basename(file));
  } catch (error) {
    const itself = await files.resolve(file);
    if (itself.real === file) return file;
    throw error;
  }
}
