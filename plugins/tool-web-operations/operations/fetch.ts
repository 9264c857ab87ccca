import { defineOperation, toolDisplay } from "@pergola/sdk";
import { firstCharacters } from "../first-characters.ts";
import { asData } from "../messages.ts";
import { readPage } from "../page/read-page.ts";
import { timeout, url } from "../parameters.ts";

export const fetch = defineOperation({
  name: "fetch",
  aliases: ["fetch_url", "fetch_webpage"],
  description: "Read a page.",
  effect: "read",
  parameters: {
    url,
    max_characters: { type: "integer", minimum: 1, maximum: 1_000_000, default: 10_000 },
    timeout,
  },
  required: ["url"],
  display: (args) => toolDisplay("Read page", args.url, "globe"),
  examples: [
    { say: "read https://example.com/news", arguments: { url: "https://example.com/news" } },
    {
      say: "what does the page https://www.rfc-editor.org/rfc/rfc9110 say?",
      arguments: { url: "https://www.rfc-editor.org/rfc/rfc9110" },
    },
    { say: "open the website https://pergola.example", arguments: { url: "https://pergola.example" } },
    {
      say: "summarize the article at https://example.org/a.html",
      arguments: { url: "https://example.org/a.html" },
    },
    { say: "get the page https://example.net/list", arguments: { url: "https://example.net/list" } },
    { say: "what does https://example.org say about prices?", arguments: { url: "https://example.org" } },
  ],
  async run({ url: address, max_characters: most, timeout: seconds }, context) {
    const page = await readPage(context, address, seconds);
    const { text: content, length, isCut: truncated } = firstCharacters(page.text, most);
    const notes = [
      page.isPlain &&
        "The page was too large or too deep for its layout to be read; these are all its words.",
      truncated && `The first ${most} of ${length} characters; ask for more with max_characters.`,
      asData,
    ];
    return {
      data: { url: page.url, title: page.title, content, length, truncated },
      message: notes.filter(Boolean).join(" "),
    };
  },
});
