import type TurndownService from "turndown";
import type { PageElement } from "./dom.ts";
import { oneLine, tidy } from "./tidy.ts";

const linkOf = (node: unknown, base: string): string => {
  const href = (node as PageElement).getAttribute("href") ?? "";
  if (href.startsWith("#") || !URL.canParse(href, base)) return "";
  const url = new URL(href, base);
  if (!/^https?:$/.test(url.protocol)) return "";
  return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
};

/**
 * Rules of our own: addresses are complete, images are only their descriptions (nothing is loaded because of
 * a result), tables are lines.
 */
function addRules(service: TurndownService, base: string): void {
  service.addRule("link", {
    filter: "a",
    replacement: (content, node) => {
      const words = oneLine(content);
      const url = linkOf(node, base);
      if (words === "" || url === "") return content;
      return `[${words}](${url})`;
    },
  });
  service.addRule("image", {
    filter: "img",
    replacement: (_content, node) => oneLine((node as unknown as PageElement).getAttribute("alt") ?? ""),
  });
  service.addRule("item", {
    filter: "li",
    replacement: (content) => `- ${content.trim().replace(/\n+/g, "\n  ")}\n`,
  });
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) => `${oneLine(content)} | `,
  });
  service.addRule("row", { filter: "tr", replacement: (content) => `${content.replace(/ \| $/, "")}\n` });
}

/** An element's text as Markdown. */
export async function toMarkdown(element: PageElement, base: string): Promise<string> {
  // Its form for browsers brings no reader of HTML: here it is only given trees.
  const { default: Turndown } = await import("turndown/lib/turndown.browser.es.js");
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
  });
  service.escape = (text) => text;
  addRules(service, base);
  return tidy(service.turndown(element));
}
