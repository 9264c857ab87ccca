import { attachmentText } from "./attachment-text.ts";

/** A file that stands in a request: its data URL, and its name where it has one. */
export interface DataFile {
  readonly url: string;
  readonly name?: string | undefined;
}

/** The text of a file in a data URL, behind its name; undefined where none can be read. */
export async function readDataFile(
  { url, name = "" }: DataFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [head, mediaType = ""] = /^data:([^;,]+)[^,]*;base64,/i.exec(url) ?? [];
  if (head === undefined) return undefined;
  const text = await attachmentText(mediaType, Buffer.from(url.slice(head.length), "base64"), signal);
  if (text === undefined || name === "") return text;
  return `${name}\n\n${text}`;
}
