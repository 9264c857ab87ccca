import { readDataFile } from "@pergola/kit-file-facts";
import { fieldsOf, replaceParts, type Part } from "@pergola/kit-provider";
import { stringOf } from "@pergola/sdk";

const isFile = ({ type, file }: Part): boolean =>
  type === "file" && typeof fieldsOf(file)["file_data"] === "string";

/** The same messages with the text of each file in its place, as far as one can be read. */
export const withFileTexts = <T>(messages: T, signal: AbortSignal): Promise<T> =>
  replaceParts(messages, isFile, async (part) => {
    const { file_data: url, filename } = fieldsOf(part["file"]);
    const text = await readDataFile({ url: stringOf(url), name: stringOf(filename) }, signal);
    return text === undefined ? part : { type: "text", text };
  });
