import { markedEncoding } from "@pergola/kit-file-facts";
import { ToolError, type ToolContext } from "@pergola/sdk";

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const probe = 8192;
const largestEdit = 64 << 20;

/**
 * Whether bytes from the beginning of a file are something else than text in an ASCII-compatible encoding.
 */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, probe).includes(0);

/** UTF-8 text; bytes that are no UTF-8 become U+FFFD, a byte order mark is kept. */
export const decode = (bytes: Uint8Array): string => lenient.decode(bytes);

const isUtf16 = (bytes: Uint8Array): boolean => markedEncoding(bytes)?.startsWith("utf-16") ?? false;

/** The failure of every operation that needs text. */
export function binaryFailure(path: string, bytes: Uint8Array): ToolError {
  const hint = isUtf16(bytes)
    ? "It is UTF-16 text: convert it to UTF-8 first."
    : "Use get_file_info to learn what it is; PDF and office documents are read by " +
      "document_operations.document_import. If it is text in another encoding, convert it to UTF-8 first.";
  return new ToolError("invalid_value", `${path} is a binary file.`, { hint, fields: { isBinary: true } });
}

/**
 * The text of a file that will be written back, byte for byte. Throws ToolError `invalid_value` for what
 * would not survive that: binary files, text that is not UTF-8, and files above 64 MiB.
 */
export async function readEditable(context: ToolContext, path: string): Promise<string> {
  const bytes = await context.files.read(path, { start: 0, end: largestEdit + 1 });
  if (bytes.length > largestEdit) {
    throw new ToolError("invalid_value", `${path} is larger than 64 MiB.`, {
      hint: "Files of this size can be read, but not edited.",
    });
  }
  if (isBinary(bytes)) throw binaryFailure(path, bytes);
  try {
    return strict.decode(bytes);
  } catch (cause) {
    throw new ToolError("invalid_value", `${path} is not UTF-8 text; an edit would damage it.`, {
      hint: "Convert it to UTF-8 first.",
      cause,
    });
  }
}
