import {
  defineOperation,
  toolDisplay,
  ToolError,
  type Json,
  type OperationResult,
  type ToolContext,
} from "@pergola/sdk";
import { renderPage } from "../browser/render-page.ts";
import { cached } from "../cached.ts";
import { asData } from "../messages.ts";
import { fetchSource, pageOf, readPage, type Page, type Source } from "../page/read-page.ts";
import { url } from "../parameters.ts";
import { reader } from "../reader.ts";

const seconds = 30;

type Scraped = Source & {
  /** JPEG, as a data URL. */
  readonly screenshot?: string;
};

/** The texts of one page, by selector. */
async function select(html: string, selectors: readonly string[], signal: AbortSignal) {
  const texts = await reader.run("texts", { html, selectors }, { signal });
  return selectors.map((selector, at) => ({ selector, texts: texts[at] ?? [] }));
}

/** The page as its server sends it, or with a browser as its scripts have made it. */
async function sourceOf(
  address: string,
  screenshot: boolean,
  browser: string,
  context: ToolContext,
): Promise<Scraped> {
  const source = await cached(context, ["source", address], () => fetchSource(context, address, seconds));
  if (browser === "" || !source.isHtml) return source;
  return cached(context, ["rendered", address, screenshot, browser], async () => {
    const page = { url: source.url, html: source.text, screenshot };
    const rendered = await renderPage(browser, page, context);
    const picture = rendered.screenshot && Buffer.from(rendered.screenshot).toString("base64");
    return {
      url: rendered.url,
      isHtml: true,
      text: rendered.html,
      ...(picture !== undefined && { screenshot: `data:image/jpeg;base64,${picture}` }),
    };
  });
}

/** The text of a page as a result. */
async function readWhole(page: Promise<Page>): Promise<Json> {
  const { url: final, title, text } = await page;
  return { url: final, title, content: text };
}

async function readFields(source: Source, fields: readonly string[], signal: AbortSignal): Promise<Json> {
  if (!source.isHtml)
    throw new ToolError("invalid_value", "The page is no HTML, so nothing can be selected.", {
      hint: "Leave selectors out.",
    });
  return { url: source.url, selected: await select(source.text, fields, signal) };
}

export const scrape = defineOperation({
  name: "scrape",
  aliases: ["web_scraping"],
  description:
    "Read a page's text, or the elements that CSS selectors match. Scripts run if a browser is set up.",
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
    screenshot: {
      type: "boolean",
      default: false,
      description: "See the page, too; needs a browser that is set up",
    },
  },
  required: ["url"],
  display: (args) => toolDisplay("Read page", args.url, "globe", args.selectors),
  async run({ url: address, selectors: fields, screenshot }, context): Promise<OperationResult> {
    const command = await context.preference("tools.web.browser_command");
    const browser = typeof command === "string" ? command : "";
    if (screenshot && browser === "")
      throw new ToolError("unavailable", "No browser is set up, so there are no screenshots.", {
        hint: "Leave screenshot out, or tell the person to set tools.web.browser_command.",
      });
    if (browser === "" && fields.length === 0)
      return { data: await readWhole(readPage(context, address, seconds)), message: asData };
    const source = await sourceOf(address, screenshot, browser, context);
    const data =
      fields.length === 0
        ? await readWhole(pageOf(source, context))
        : await readFields(source, fields, context.signal);
    return { data, message: asData, ...(source.screenshot && { images: [source.screenshot] }) };
  },
});
