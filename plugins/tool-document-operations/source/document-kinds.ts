/**
 * `office` is a package of which only its parts tell whether it is a document, a workbook or a presentation.
 */
export type DocumentKind =
  | "pdf"
  | "office"
  | "docx"
  | "xlsx"
  | "pptx"
  | "rtf"
  | "html"
  | "markdown"
  | "csv"
  | "json"
  | "text"
  | "image";
export type TextKind = Exclude<DocumentKind, "image">;

interface KindFacts {
  readonly contentType: string;
  readonly description: string;
  readonly extensions: readonly string[];
}

const office = "application/vnd.openxmlformats-officedocument";

export const kindFacts: Readonly<Record<DocumentKind, KindFacts>> = {
  pdf: { contentType: "application/pdf", description: "PDF document", extensions: ["pdf"] },
  office: { contentType: "application/zip", description: "Office document", extensions: [] },
  docx: {
    contentType: `${office}.wordprocessingml.document`,
    description: "Word document",
    extensions: ["docx", "docm", "dotx", "dotm"],
  },
  xlsx: {
    contentType: `${office}.spreadsheetml.sheet`,
    description: "Excel workbook",
    extensions: ["xlsx", "xlsm", "xltx"],
  },
  pptx: {
    contentType: `${office}.presentationml.presentation`,
    description: "PowerPoint presentation",
    extensions: ["pptx", "pptm", "ppsx", "potx"],
  },
  rtf: { contentType: "application/rtf", description: "Rich text document", extensions: ["rtf"] },
  html: { contentType: "text/html", description: "HTML document", extensions: ["html", "htm", "xhtml"] },
  markdown: {
    contentType: "text/markdown",
    description: "Markdown document",
    extensions: ["md", "markdown"],
  },
  csv: { contentType: "text/csv", description: "Comma-separated values", extensions: ["csv", "tsv"] },
  json: {
    contentType: "application/json",
    description: "JSON data",
    extensions: ["json", "jsonl", "ndjson"],
  },
  text: { contentType: "text/plain", description: "Plain text", extensions: ["txt", "text", "log"] },
  image: {
    contentType: "image/*",
    description: "Image",
    extensions: ["png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp"],
  },
};

const kinds = Object.keys(kindFacts) as DocumentKind[];

export const kindOfExtension = (extension: string): DocumentKind | undefined =>
  kinds.find((kind) => kindFacts[kind].extensions.includes(extension.toLowerCase()));

/** By a media type, as in a Content-Type header; undefined for the ones that servers give to anything. */
export function kindOfMediaType(type: string): DocumentKind | undefined {
  const [name = ""] = type.toLowerCase().split(";");
  if (name.trim() === "text/plain") return undefined;
  return kinds.find((kind) => kindFacts[kind].contentType === name.trim());
}
