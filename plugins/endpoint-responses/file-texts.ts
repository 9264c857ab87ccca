import { readDataFile } from "@pergola/kit-file-facts";
import { replaceParts, type Part } from "@pergola/kit-provider";
import { stringOf } from "@pergola/sdk";

const isFile = ({ type, file_data: data }: Part): boolean =>
  type === "input_file" && typeof data === "string";

/** The same items with the text of each file in its place, as far as one can be read. */
export const withFileTexts = <T>(items: T, signal: AbortSignal): Promise<T> =>
  replaceParts(items, isFile, async (part) => {
    const file = { url: stringOf(part["file_data"]), name: stringOf(part["filename"]) };
    const text = await readDataFile(file, signal);
    return text === undefined ? part : { type: "input_text", text };
  });
