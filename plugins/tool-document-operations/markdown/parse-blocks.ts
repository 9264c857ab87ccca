import { marked, type Token, type Tokens } from "marked";
import { htmlToText } from "../read/html-to-text.ts";
import type { Block, Item, Run } from "./blocks.ts";
import { inlineRuns, isMarkup } from "./inline-runs.ts";

/** Where a block lies: in how many quotes, and in how many lists. */
interface Place {
  readonly quote: number;
  readonly depth: number;
}

type Maker = (token: Token, place: Place) => readonly Block[];

const cells = (row: readonly Tokens.TableCell[]): readonly (readonly Run[])[] =>
  row.map(({ tokens }) => inlineRuns(tokens));

const paragraph = (runs: readonly Run[], { quote }: Place): readonly Block[] =>
  runs.length === 0 ? [] : [{ type: "paragraph", quote, runs }];

const makers: Readonly<Record<string, Maker>> = {
  heading: (token, { quote }) => {
    const { depth, tokens } = token as Tokens.Heading;
    return [{ type: "heading", quote, level: depth, runs: inlineRuns(tokens) }];
  },
  paragraph: (token, place) => paragraph(inlineRuns((token as Tokens.Paragraph).tokens), place),
  text: (token, place) => {
    const { tokens, text } = token as Tokens.Text;
    return paragraph((tokens && inlineRuns(tokens)) ?? [{ text }], place);
  },
  list: (token, place) => listBlocks(token as Tokens.List, place),
  table: (token, { quote }) => {
    const { header, rows } = token as Tokens.Table;
    return [{ type: "table", quote, rows: [cells(header), ...rows.map(cells)] }];
  },
  code: (token, { quote }) => [{ type: "code", quote, text: (token as Tokens.Code).text }],
  blockquote: (token, place) =>
    blocksOf((token as Tokens.Blockquote).tokens, { ...place, quote: place.quote + 1 }),
  hr: (_token, { quote }) => [{ type: "rule", quote }],
  html: ({ raw }, place) =>
    paragraph(
      [{ text: isMarkup(raw.trim()) ? htmlToText(raw).text : raw.trim() }].filter(({ text }) => text !== ""),
      place,
    ),
};

function markerOf(
  { ordered, start }: Tokens.List,
  { task, checked }: Tokens.ListItem,
  index: number,
): string {
  if (task) return checked === true ? "☑" : "☐";
  return ordered ? `${Number(start || 1) + index}.` : "•";
}

function listBlocks(list: Tokens.List, { quote, depth }: Place): readonly Block[] {
  return list.items.flatMap((item, index) => {
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
    const inside = blocksOf(tokens, { quote, depth: depth + 1 }).map((block): Block =>
      block.type === "paragraph" ? asItem(block.runs, quote, depth) : block,
    );
    const [first, ...rest] = inside;
    const marker = markerOf(list, item, index);
    if (first?.type === "item" && first.marker === "" && first.depth === depth)
      return [{ ...first, marker }, ...rest];
    return [{ ...asItem([], quote, depth), marker }, ...inside];
  });
}

const asItem = (runs: readonly Run[], quote: number, depth: number): Item => ({
  type: "item",
  quote,
  depth,
  marker: "",
  runs,
});

const blocksOf = (tokens: readonly Token[], place: Place): readonly Block[] =>
  tokens.flatMap((token) => makers[token.type]?.(token, place) ?? []);

/** The blocks of Markdown as GitHub writes it. */
export const parseBlocks = (markdown: string): readonly Block[] =>
  blocksOf(marked.lexer(markdown), { quote: 0, depth: 0 });
