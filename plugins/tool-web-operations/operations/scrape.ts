import { defineOperation, toolDisplay, ToolError, type OperationResult } from "@pergola/sdk";
import { cached } from "../cached.ts";
import { asData } from "../messages.ts";
import { fetchSource, readPage } from "../page/read-page.ts";
import { url } from "../parameters.ts";
import { reader } from "../reader.ts";

const seconds = 30;

/** The texts of one page, by selector. */
async function select(html: string, selectors: readonly string[], signal: AbortSignal) {
  const texts = await reader.run("texts", { html, selectors }, { signal });
  return selectors.map((selector, at) => ({ selector, texts: texts[at] ?? [] }));
}

export const scrape = defineOperation({
  name: "scrape",
  aliases: ["web_scraping"],
  description: "Read a page's text, or the elements that CSS selectors match. Scripts do not run.",
  hidden: true,
  effect: "read",
  parameters: {
    url,
    selectors: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 300 },
      maxItems: 20,
      default: [],
    },
  },
  required: ["url"],
  display: (args) => toolDisplay("Reading page", args.url, "globe", args.selectors),
  async run({ url: address, selectors: fields }, context): Promise<OperationResult> {
    if (fields.length === 0) {
      const { url: final, title, text } = await readPage(context, address, seconds);
      return { data: { url: final, title, content: text }, message: asData };
    }
    const source = await cached(context, ["source", address], () => fetchSource(context, address, seconds));
    if (!source.isHtml)
      throw new ToolError("invalid_value", "The page is no HTML, so nothing can be selected.", {
        hint: "Leave selectors out.",
      });
    const selected = await select(source.text, fields, context.signal);
    return { data: { url: source.url, selected }, message: asData };
  },
});
