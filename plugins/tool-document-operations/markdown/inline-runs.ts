import type { Token, Tokens } from "marked";
import { htmlToText } from "../read/html-to-text.ts";
import type { Look, Run } from "./blocks.ts";

/** Markdown's texts may hold HTML's entities. */
const decoded = (text: string): string =>
  /&[#\w]+;/.test(text)
    ? text.replaceAll(/&[#\w]{1,40};/g, (entity) => htmlToText(`<pre>${entity}</pre>`).text || " ")
    : text;

const tags = new Set(
  (
    "a abbr address article aside b blockquote br center code dd del details div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd li " +
    "main mark nav ol p picture pre q s samp script section small source span strike strong " +
    "style sub summary sup table tbody td tfoot th thead tr u ul var video"
  ).split(" "),
);

const isSafe = (address: string): boolean => /^(https?:|mailto:)/i.test(address);

const looks: Readonly<Record<string, (token: Token) => Look>> = {
  strong: () => ({ bold: true }),
  em: () => ({ italic: true }),
  del: () => ({ strike: true }),
  codespan: () => ({ code: true }),
  link: (token) => (isSafe((token as Tokens.Link).href) ? { link: (token as Tokens.Link).href } : {}),
};

/** HTML's tags are markup; others, as in `List<String>`, are text. */
export const isMarkup = (html: string): boolean =>
  html.startsWith("<!") || tags.has(/^<\/?([a-z][\w-]*)/i.exec(html)?.[1]?.toLowerCase() ?? "");

function tagText(html: string): string {
  if (/^<br\b/i.test(html)) return "\n";
  return isMarkup(html) ? "" : html;
}

function textOf(token: Token): string {
  if (token.type === "br") return "\n";
  if (token.type === "html") return tagText(token.raw);
  const text = "text" in token ? String(token.text) : token.raw;
  return token.type === "codespan" ? text : decoded(text).replaceAll(/\s*\n\s*/g, " ");
}

/**
 * Markdown inside a block as runs of one look each. HTML tags are left out; images leave their description.
 */
export function inlineRuns(tokens: readonly Token[] | undefined, look: Look = {}): readonly Run[] {
  return (tokens ?? []).flatMap((token): readonly Run[] => {
    const own = { ...look, ...looks[token.type]?.(token) };
    if ("tokens" in token && token.tokens !== undefined && token.tokens.length > 0)
      return inlineRuns(token.tokens, own);
    const text = textOf(token);
    return text === "" ? [] : [{ ...own, text }];
  });
}
