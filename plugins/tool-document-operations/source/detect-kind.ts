import { isBinary } from "@pergola/kit-file-facts";
import type { ToolError } from "@pergola/sdk";
import { invalidValue } from "../invalid-value.ts";
import { kindOfExtension, kindOfMediaType, type DocumentKind } from "./document-kinds.ts";
import type { Source } from "./load-source.ts";

const signatures: readonly (readonly [bytes: string, kind: DocumentKind])[] = [
  ["PK\x03\x04", "office"],
  ["{\\rtf", "rtf"],
  ["\x89PNG", "image"],
  ["\xff\xd8\xff", "image"],
  ["GIF8", "image"],
  ["BM", "image"],
  ["II*\0", "image"],
  ["MM\0*", "image"],
];

/** The container of Office's formats before 2007, and of encrypted documents since. */
const compound = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le");
const readable = "Readable are pdf, docx, xlsx, pptx, rtf, html, md, txt, csv, json and images.";

/** Kinds whose files begin with bytes of their own. */
const withSignature: ReadonlySet<DocumentKind> = new Set([
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "office",
  "rtf",
  "image",
]);

function refuseCompound(bytes: Uint8Array): never {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(encryptedPackage))
    throw invalidValue("The document is protected by a password.", "Ask for a copy without a password.");
  throw invalidValue(
    "The document has a format of Office before 2007.",
    "Ask for it as docx, xlsx, pptx or pdf.",
  );
}

const unreadable = (fault: string): ToolError =>
  invalidValue(`${fault}: its first bytes belong to another format.`, readable);

function kindOfSignature(head: string): DocumentKind | undefined {
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "image";
  const [start, kind] = signatures.find(([signature]) => head.startsWith(signature)) ?? [];
  // Text may begin with BM, too.
  if (start === "BM" && !head.includes("\0")) return undefined;
  return kind;
}

/**
 * What a document is: by its first bytes, else by its media type or the end of its name. Throws ToolError
 * `invalid_value` for formats that are not read.
 */
export function detectKind({ bytes, filename, mediaType = "" }: Source): DocumentKind {
  const start = bytes.subarray(0, 1024);
  const head = Buffer.from(start).toString("latin1");
  if (head.startsWith(compound)) refuseCompound(bytes);
  const kind = kindOfSignature(head);
  if (kind !== undefined) return kind;
  const extension = /\.([^.]+)$/.exec(filename)?.[1] ?? "";
  const declared = kindOfMediaType(mediaType) ?? kindOfExtension(extension) ?? "text";
  if (withSignature.has(declared)) throw unreadable(`${filename} is not a ${extension || declared} file`);
  if (isBinary(start)) throw unreadable(`${filename} holds no text`);
  return declared;
}
