import type { Handlers } from "@pergola/kit-worker/serve";
import { isReadable } from "./is-readable.ts";
import { plainText } from "./plain-text.ts";
import { readArticle } from "./read-article.ts";
import type { ReadTasks } from "./read-tasks.ts";
import { selectRows } from "./select-rows.ts";
import { selectTexts } from "./select-texts.ts";

function checkReadable(html: string): void {
  if (!isReadable(html)) throw new Error("the page is too large or too deeply nested");
}

/**
 * Run in a thread. A page that would keep it for long is read as plain text, without a tree of its elements.
 */
export const readHandlers: Handlers<ReadTasks> = {
  article: ({ html, url }) => (isReadable(html) ? readArticle(html, url) : plainText(html)),
  plain: plainText,
  texts({ html, selectors }) {
    checkReadable(html);
    return selectTexts(html, selectors);
  },
  rows({ html, ...rows }) {
    checkReadable(html);
    return selectRows(html, rows);
  },
};
