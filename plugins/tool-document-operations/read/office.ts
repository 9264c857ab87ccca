import { invalidValue } from "../invalid-value.ts";
import { coreProperties } from "./core-properties.ts";
import type { ReadJob, Reading } from "./document-text.ts";
import { readDocx } from "./docx.ts";
import { openPackage, type OfficePackage } from "./office-package.ts";
import { readPptx } from "./pptx.ts";
import { readXlsx } from "./xlsx.ts";

type PackageReader = (parts: OfficePackage) => Promise<Reading>;

/** By the part that each kind of package must have. */
const readers: readonly (readonly [part: string, kind: "docx" | "xlsx" | "pptx", read: PackageReader])[] = [
  ["word/document.xml", "docx", readDocx],
  ["xl/workbook.xml", "xlsx", readXlsx],
  ["ppt/presentation.xml", "pptx", readPptx],
];

export async function readOffice({ bytes }: ReadJob): Promise<Reading> {
  const parts = openPackage(bytes);
  const [, kind, read] = readers.find(([part]) => parts.names.includes(part)) ?? [];
  if (read === undefined || kind === undefined)
    throw invalidValue(
      "The archive holds no Word, Excel or PowerPoint document.",
      "Unpack it and import its files one by one.",
    );
  const reading = await read(parts);
  const facts = { ...coreProperties(parts), ...reading.facts };
  if (!parts.hasMacros) return { ...reading, kind, facts };
  return { ...reading, kind, facts, notes: ["Its macros were left out."] };
}
