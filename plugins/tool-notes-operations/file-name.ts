import { ToolError } from "@pergola/sdk";

const ending = ".md";
/** What a path, a shell, another file system or a reader could take for something else. */
const odd = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069/\\:*?"<>|%]|^\.|\.$/gu;
/** Names that are devices elsewhere. */
const reserved = /^(?=(con|prn|aux|nul|com\d|lpt\d)(\.|$))./i;
const longest = 255;

const encode = (text: string): string =>
  Buffer.from(text).toString("hex").toUpperCase().replace(/../g, "%$&");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The name of a folder for any title: its odd characters as `%XX` of their UTF-8 bytes. Throws ToolError
 * `invalid_value`.
 */
export function folderNameOf(title: string): string {
  const name = title.normalize("NFC").trim().replace(odd, encode).replace(reserved, encode);
  if (name === "")
    throw new ToolError("invalid_value", "The name is blank.", { hint: "Give it at least one letter." });
  if (Buffer.byteLength(name + ending) <= longest) return name;
  throw new ToolError("invalid_value", `"${title.slice(0, 60)}…" is too long for a name.`, {
    hint: "Shorten it; put the rest into the text.",
  });
}

export const fileNameOf = (title: string): string => folderNameOf(title) + ending;

/** The title that a name stands for; of names that others gave, what is no encoding stays as it is. */
export const titleOfFolder = (name: string): string => name.replace(/(%[0-9A-F]{2})+/gi, decode);

/** The title of a note's file; undefined for a file that is no note. */
export function titleOfFile(name: string): string | undefined {
  if (!name.toLowerCase().endsWith(ending)) return undefined;
  return titleOfFolder(name.slice(0, -ending.length));
}

/**
 * Titles are the same if they differ in case or in how accents are encoded only: on some file systems their
 * files would be one.
 */
export const sameTitle = (one: string, other: string): boolean => fold(one) === fold(other);

const fold = (title: string): string => title.normalize("NFC").trim().toLowerCase();
