import { parseHTML } from "linkedom";
import type { PageDocument } from "./dom.ts";

/** What is not shown to a reader, or cannot be read. */
const unread =
  "script, style, noscript, template, iframe, object, embed, svg, canvas, " +
  "dialog, [hidden], [aria-hidden='true'], [style*='display:none'], " +
  "[style*='display: none'], [style*='visibility:hidden'], [style*='visibility: hidden']";

/** The elements of a page, without what a reader would not see. */
export function parsePage(html: string): PageDocument {
  const page = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document } = parseHTML(page) as unknown as { readonly document: PageDocument };
  for (const element of document.querySelectorAll(unread)) element.remove();
  return document;
}
