import { ToolError, type ToolContext } from "@pergola/sdk";
import { cached } from "../cached.ts";
import { reader } from "../reader.ts";
import type { Article } from "../reading/read-tasks.ts";
import { tidy } from "../reading/tidy.ts";
import { decodeText } from "./decode-text.ts";
import { fetchAnswer } from "./fetch-answer.ts";
import { kindOf } from "./media-type.ts";

/** Bytes, after decompression. */
const largestPage = 5 * 2 ** 20;

const accept = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.9,*/*;q=0.5";

/** A page's source: where it really was, and its text as it came. */
export interface Source {
  readonly url: string;
  readonly isHtml: boolean;
  readonly text: string;
}

export type Page = Article & { readonly url: string };

/**
 * Fetches a text of any kind, decoded. Throws ToolError `invalid_value` for what is not text, and all that
 * the door throws.
 */
export async function fetchSource(
  context: ToolContext,
  url: string,
  timeoutSeconds: number,
): Promise<Source> {
  const response = await fetchAnswer(context, url, {
    timeoutSeconds,
    maxBytes: largestPage,
    headers: { accept },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get("content-type") ?? "";
  const kind = kindOf(type, bytes);
  if (kind !== "other")
    return { url: response.url || url, isHtml: kind === "html", text: decodeText(bytes, type) };
  const hint = "document_operations.document_import reads documents such as PDF files.";
  throw new ToolError("invalid_value", `The address leads to no text but to ${type || "binary data"}.`, {
    hint,
  });
}

/** The article of a page; should understanding it take too long, all its words. */
async function articleOf({ text, url }: Source, { signal }: ToolContext): Promise<Article> {
  try {
    return await reader.run("article", { html: text, url }, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return reader.run("plain", text, { signal });
  }
}

/** Makes a source readable: Markdown of HTML, other text as it is. */
export async function pageOf(source: Source, context: ToolContext): Promise<Page> {
  if (source.isHtml) return { ...(await articleOf(source, context)), url: source.url };
  return { title: "", text: tidy(source.text), isPlain: false, url: source.url };
}

/** Fetches a page and makes it readable. Used again for some seconds. */
export function readPage(context: ToolContext, url: string, timeoutSeconds: number): Promise<Page> {
  return cached(context, ["page", url], async () =>
    pageOf(await fetchSource(context, url, timeoutSeconds), context),
  );
}
