import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import { lexer, type Token, type Tokens } from "marked";
import { hasColours, styled } from "../visible.ts";

const isShown = ({ type }: Token): boolean => type !== "space" && type !== "def";

/** The blocks of a Markdown text: paragraphs, lists, tables, and so on. */
export const blocksOf = (text: string): readonly Token[] => lexer(text).filter(isShown);

interface Split {
  /** The blocks that have ended. */
  readonly ended: readonly Token[];
  /** The block that more may come to, and the source from it on. */
  readonly last: Token | undefined;
  readonly rest: string;
}

/** Splits a text at its last block. */
export function splitBlocks(text: string): Split {
  const tokens = lexer(text);
  const index = tokens.findLastIndex(isShown);
  const before = tokens.slice(0, Math.max(0, index));
  const length = before.reduce((sum, { raw }) => sum + raw.length, 0);
  return { ended: before.filter(isShown), last: tokens[index], rest: text.slice(length) };
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

const decode = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => entities[name] ?? name);

type Inline = (token: never) => string;

/** What stands within a line, by the type of its token; what is not listed here stands as it was written. */
const inlines: Readonly<Record<string, Inline>> = {
  text: ({ tokens, text }: Tokens.Text) => (tokens === undefined ? decode(text) : inline(tokens)),
  escape: ({ text }: Tokens.Escape) => decode(text),
  strong: ({ tokens }: Tokens.Strong) => styled("bold", inline(tokens)),
  em: ({ tokens }: Tokens.Em) => styled("italic", inline(tokens)),
  del: ({ tokens }: Tokens.Del) => styled("strikethrough", inline(tokens)),
  codespan: ({ text, raw }: Tokens.Codespan) => (hasColours ? styled("cyan", text) : raw),
  br: () => "\n",
  link: ({ tokens, text, href }: Tokens.Link) =>
    text === href || href === `mailto:${text}` ? inline(tokens) : `${inline(tokens)} (${href})`,
  image: ({ text, href }: Tokens.Image) => `${text} (${href})`,
};

const inline = (tokens: readonly Token[]): string =>
  tokens.map((token) => (inlines[token.type] ?? (({ raw }: Token) => raw))(token as never)).join("");

const wrap = (text: string, width: number): readonly string[] => wrapAnsi(text, width).split("\n");

type Block = (token: never, width: number) => readonly string[];

const blocks: Readonly<Record<string, Block>> = {
  paragraph: ({ tokens }: Tokens.Paragraph, width) => wrap(inline(tokens), width),
  text: (token: Tokens.Text, width) => wrap(inline([token]), width),
  heading: ({ tokens, depth }: Tokens.Heading, width) => {
    const title = hasColours ? inline(tokens) : `${"#".repeat(depth)} ${inline(tokens)}`;
    return wrap(styled(["bold", "underline"], title), width);
  },
  // A line of code is left to the terminal, so that it can be copied.
  code: ({ text }: Tokens.Code) => text.split("\n").map((line) => styled("cyan", line)),
  blockquote: ({ tokens }: Tokens.Blockquote, width) =>
    renderBlocks(tokens, width - 2).map((line) => `${styled("dim", "│")} ${line}`),
  hr: (_token, width) => [styled("dim", "─".repeat(Math.min(width, 40)))],
  list: (token: Tokens.List, width) => renderList(token, width),
  table: (token: Tokens.Table, width) => renderTable(token, width),
};

const renderBlock = (token: Token, width: number): readonly string[] =>
  blocks[token.type]?.(token as never, Math.max(width, 20)) ?? token.raw.trimEnd().split("\n");

/** The lines that show the blocks, words wrapped at the width, with an empty line between two blocks. */
export const renderBlocks = (tokens: readonly Token[], width: number): readonly string[] =>
  tokens
    .filter(isShown)
    .flatMap((token, index) => [...(index === 0 ? [] : [""]), ...renderBlock(token, width)]);

function renderList({ items, ordered, start, loose }: Tokens.List, width: number): readonly string[] {
  return items.flatMap((item, index) => {
    const mark = ordered ? `${Number(start || 1) + index}.` : "•";
    const box = item.task ? `[${item.checked ? "x" : " "}] ` : "";
    const lead = `${mark} ${box}`;
    // Without a checkbox of its own: the mark has it.
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
    const lines = tokens.flatMap((token) => renderBlock(token, width - lead.length));
    const indented = lines.map((line, at) => (at === 0 ? lead : " ".repeat(lead.length)) + line);
    return loose && index > 0 ? ["", ...indented] : indented;
  });
}

/** Columns of equal width; as it was written where it does not fit. */
function renderTable({ header, rows, raw }: Tokens.Table, width: number): readonly string[] {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ""))));
  const full = widths.reduce((sum, one) => sum + one + 2, 0);
  if (full > width) return raw.trimEnd().split("\n");
  const [titles = "", ...lines] = cells.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
  return [styled("bold", titles), styled("dim", "─".repeat(full - 2)), ...lines];
}
