import type { PageDocument, PageElement } from "./dom.ts";
import { parsePage } from "./parse-page.ts";
import { tidy } from "./tidy.ts";

const mostMatches = 500;

/** Its message says which one, and that it is no CSS selector. */
export class WrongSelector extends Error {}

function matches(document: PageDocument, selector: string): readonly PageElement[] {
  try {
    return [...document.querySelectorAll(selector)].slice(0, mostMatches);
  } catch (cause) {
    throw new WrongSelector(`“${selector}” is no CSS selector.`, { cause });
  }
}

/** For each CSS selector the texts of the elements that match, at most 500. Throws WrongSelector. */
export function selectTexts(html: string, selectors: readonly string[]): readonly (readonly string[])[] {
  const document = parsePage(html);
  return selectors.map((selector) =>
    matches(document, selector).map((element) => tidy((element.textContent ?? "").replace(/[^\S\n]+/g, " "))),
  );
}
