import path from "node:path";
import { invalidValue } from "../invalid-value.ts";
import type { Format } from "./write-job.ts";

const extensions: Readonly<Record<Format, readonly string[]>> = {
  docx: ["docx"],
  pdf: ["pdf"],
  txt: ["txt", "text"],
  markdown: ["md", "markdown"],
  pptx: ["pptx"],
  rtf: ["rtf"],
  xlsx: ["xlsx"],
};

interface Request {
  readonly format: Format;
  readonly content: string;
  readonly output_path: string;
  readonly filename?: string | undefined;
  readonly title?: string | undefined;
}

// eslint-disable-next-line no-control-regex
const unsafe = /[\0-\x1f\x7f/\\]/;

const hasExtension = (name: string, format: Format): boolean =>
  extensions[format].includes(path.extname(name).slice(1).toLowerCase());

/** A name from the title or the first line of text: letters and digits, joined by hyphens. */
function nameFrom(text: string): string {
  const line = text.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = [...words.join("-")].slice(0, 60).join("");
  return name.replace(/-+$/, "") || "document";
}

/** Whether a name is that of a file, and no path. */
export const isBareName = (name: string): boolean =>
  !unsafe.test(name) && name.trim() !== "" && name !== "." && name !== ".." && Buffer.byteLength(name) <= 240;

function bareName(name: string): string {
  if (isBareName(name)) return name;
  throw invalidValue(
    "filename is no bare file name.",
    'Give a name such as "report.docx", and the folder as output_path.',
  );
}

export interface Target {
  /** Where the file goes, relative to the working directory unless `output_path` is absolute. */
  readonly file: string;
  /** The name was made up: an existing file must not be replaced. */
  readonly isInvented: boolean;
}

/**
 * The file that a document is written to. The format's extension is added where it is missing. An
 * `output_path` that ends with the extension names the file itself. Throws ToolError `invalid_value` when
 * `filename` is more than a bare name.
 */
export function documentTarget({ format, content, output_path, filename, title }: Request): Target {
  const isInvented = filename === undefined;
  if (isInvented && hasExtension(output_path, format)) return { file: output_path, isInvented: false };
  const name = bareName(filename ?? nameFrom(title || content));
  const file = path.join(output_path, name);
  if (hasExtension(name, format)) return { file, isInvented };
  return { file: `${file}.${extensions[format][0] ?? format}`, isInvented };
}
