import { ToolError } from "@pergola/sdk";
import type { PageDocument, PageElement } from "./dom.ts";
import { parsePage } from "./parse-page.ts";
import { tidy } from "./tidy.ts";

const mostMatches = 500;

function matches(document: PageDocument, selector: string): readonly PageElement[] {
  try {
    return [...document.querySelectorAll(selector)].slice(0, mostMatches);
  } catch (cause) {
    const hint = "Give CSS selectors, such as main h2.";
    throw new ToolError("invalid_value", `“${selector}” is no CSS selector.`, { hint, cause });
  }
}

/**
 * For each CSS selector the texts of the elements that match, at most 500. Throws ToolError `invalid_value`.
 */
export function selectTexts(html: string, selectors: readonly string[]): readonly (readonly string[])[] {
  const document = parsePage(html);
  return selectors.map((selector) =>
    matches(document, selector).map((element) => tidy((element.textContent ?? "").replace(/[^\S\n]+/g, " "))),
  );
}
