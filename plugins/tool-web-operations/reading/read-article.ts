import { stringOf } from "@pergola/sdk";
import type { PageDocument, PageElement } from "./dom.ts";
import type { Article } from "./read-tasks.ts";
import { parsePage } from "./parse-page.ts";
import { plainText } from "./plain-text.ts";
import { toMarkdown } from "./to-markdown.ts";
import { tidy } from "./tidy.ts";

/** An article with fewer characters is taken for a mistake, and the page is read whole. */
const leastArticle = 200;

const baseOf = (document: PageDocument, url: string): string => {
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  if (!URL.canParse(base, url)) return url;
  return new URL(base, url).href;
};

/**
 * Finds the article in a page and writes it as Markdown; a page without one is written whole, menus left out.
 */
export async function readArticle(html: string, url: string): Promise<Article> {
  const { Readability } = (await import("@mozilla/readability")).default;
  const document = parsePage(html);
  const base = baseOf(document, url);
  const title = tidy(document.querySelector("title")?.textContent ?? "");
  const found = new Readability<PageElement>(document, {
    serializer: (node: unknown) => node as PageElement,
  }).parse();
  const { title: ownTitle, byline, publishedTime, content } = found ?? {};
  const facts = {
    title: tidy(stringOf(ownTitle)) || title,
    isPlain: false,
    author: tidy(stringOf(byline)).slice(0, 200),
    published: stringOf(publishedTime).slice(0, 40),
  };
  const article = content ? await toMarkdown(content, base) : "";
  if (article.length >= leastArticle) return { ...facts, text: article };
  const whole = await wholePage(html, base);
  return { ...facts, text: whole || article };
}

async function wholePage(html: string, base: string): Promise<string> {
  const document = parsePage(html);
  for (const element of document.querySelectorAll("head, title, nav, button, input, select, textarea"))
    element.remove();
  const text = await toMarkdown(document.documentElement, base);
  return text || plainText(html).text;
}
