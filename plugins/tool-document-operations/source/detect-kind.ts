import { isBinary } from "@pergola/kit-file-facts";
import { ToolError } from "@pergola/sdk";
import { kindOfExtension, kindOfMediaType, type DocumentKind } from "./document-kinds.ts";

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

export interface Named {
  readonly filename: string;
  readonly mediaType?: string | undefined;
}

function refuseCompound(bytes: Uint8Array): never {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(encryptedPackage))
    throw new ToolError("invalid_value", "The document is protected by a password.", {
      hint: "Ask for a copy without a password.",
    });
  throw new ToolError("invalid_value", "The document has a format of Office before 2007.", {
    hint: "Ask for it as docx, xlsx, pptx or pdf.",
  });
}

function refuse(fault: string): never {
  throw new ToolError("invalid_value", `${fault}: its first bytes belong to another format.`, {
    hint: readable,
  });
}

function kindOfSignature(head: string): DocumentKind | undefined {
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "image";
  return signatures.find(
    ([start, kind]) => head.startsWith(start) && (start !== "BM" || head.includes("\0") || kind !== "image"),
  )?.[1];
}

/**
 * What a document is: by its first bytes, else by its media type or the end of its name. Throws ToolError
 * `invalid_value` for formats that are not read.
 */
export function detectKind(bytes: Uint8Array, { filename, mediaType = "" }: Named): DocumentKind {
  const start = bytes.subarray(0, 1024);
  const head = Buffer.from(start).toString("latin1");
  if (head.startsWith(compound)) refuseCompound(bytes);
  const kind = kindOfSignature(head);
  if (kind !== undefined) return kind;
  const extension = /\.([^.]+)$/.exec(filename)?.[1] ?? "";
  const declared = kindOfMediaType(mediaType) ?? kindOfExtension(extension) ?? "text";
  if (withSignature.has(declared)) refuse(`${filename} is not a ${extension || declared} file`);
  if (isBinary(start)) refuse(`${filename} holds no text`);
  return declared;
}
