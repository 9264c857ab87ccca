import { marked, type MarkedToken, type Token, type Tokens } from "marked";
import { htmlToText } from "../read/html-to-text.ts";
import type { Block, Item, Row, Run } from "./blocks.ts";
import { inlineRuns, isMarkup } from "./inline-runs.ts";

/** Where a block lies: in how many quotes, and in how many lists. */
interface Place {
  readonly quote: number;
  readonly depth: number;
}

type Maker = (token: Token, place: Place) => readonly Block[];

type Makers = {
  readonly [T in MarkedToken["type"]]?: (
    token: Extract<MarkedToken, { type: T }>,
    place: Place,
  ) => readonly Block[];
};

const cells = (row: readonly Tokens.TableCell[]): Row => row.map(({ tokens }) => inlineRuns(tokens));

function paragraph(runs: readonly Run[], { quote }: Place): readonly Block[] {
  if (runs.length === 0) return [];
  return [{ type: "paragraph", quote, runs }];
}

const makers: Makers = {
  heading: ({ depth, tokens }, { quote }) => [
    {
      type: "heading",
      quote,
      level: depth,
      runs: inlineRuns(tokens),
    },
  ],
  paragraph: ({ tokens }, place) => paragraph(inlineRuns(tokens), place),
  text: ({ tokens, text }, place) => paragraph((tokens && inlineRuns(tokens)) ?? [{ text }], place),
  list: (list, place) => listBlocks(list, place),
  table: ({ header, rows }, { quote }) => [
    {
      type: "table",
      quote,
      rows: [cells(header), ...rows.map(cells)],
    },
  ],
  code: ({ text }, { quote }) => [
    {
      type: "code",
      quote,
      text,
    },
  ],
  blockquote: ({ tokens }, { quote, depth }) => blocksOf(tokens, { depth, quote: quote + 1 }),
  hr: (_token, { quote }) => [{ type: "rule", quote }],
  html({ raw }, place) {
    const html = raw.trim();
    const text = isMarkup(html) ? htmlToText(raw).text : html;
    return paragraph(text === "" ? [] : [{ text }], place);
  },
};

function markerOf(
  { ordered, start }: Tokens.List,
  { task, checked }: Tokens.ListItem,
  index: number,
): string {
  if (task) return checked === true ? "☑" : "☐";
  if (!ordered) return "•";
  return `${Number(start || 1) + index}.`;
}

function listBlocks(list: Tokens.List, { quote, depth }: Place): readonly Block[] {
  return list.items.flatMap((item, index) => {
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
    const blank: Item = {
      type: "item",
      quote,
      depth,
      marker: "",
      runs: [],
    };
    const inside = blocksOf(tokens, { quote, depth: depth + 1 }).map((block): Block => {
      if (block.type !== "paragraph") return block;
      return { ...blank, runs: block.runs };
    });
    const [first, ...rest] = inside;
    const marker = markerOf(list, item, index);
    if (first?.type === "item" && first.marker === "" && first.depth === depth)
      return [{ ...first, marker }, ...rest];
    return [{ ...blank, marker }, ...inside];
  });
}

const blocksOf = (tokens: readonly Token[], place: Place): readonly Block[] =>
  tokens.flatMap((token) => {
    const make = makers[token.type as MarkedToken["type"]] as Maker | undefined;
    return make?.(token, place) ?? [];
  });

/** The blocks of Markdown as GitHub writes it. */
export const parseBlocks = (markdown: string): readonly Block[] =>
  blocksOf(marked.lexer(markdown), { quote: 0, depth: 0 });
