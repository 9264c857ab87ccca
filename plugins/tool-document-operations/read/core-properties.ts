import { defined } from "@pergola/sdk";
import type { DocumentFacts } from "./document-text.ts";
import type { OfficePackage } from "./office-package.ts";
import { visitXml } from "./visit-xml.ts";

/** Title and author, as every Office document keeps them. */
export function coreProperties(parts: OfficePackage): DocumentFacts {
  const found: Record<string, string> = {};
  let at = "";
  visitXml(parts.text("docProps/core.xml"), {
    open: (name) => (at = name),
    text: (text) => (found[at] = (found[at] ?? "") + text),
    close: () => (at = ""),
  });
  return defined({ title: found["title"] || undefined, author: found["creator"] || undefined });
}
