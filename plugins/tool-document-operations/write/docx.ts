import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type IParagraphOptions,
  type ParagraphChild,
} from "docx";
import { plainText, type Block, type Item, type Run, type Table as TableBlock } from "../markdown/blocks.ts";
import { docxStyles } from "./docx-styles.ts";
import { isRightToLeft } from "./right-to-left.ts";
import type { Manuscript, Writer } from "./write-job.ts";

const monospace = "Courier New";
const twips = (points: number): number => Math.round(points * 20);
const levels = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];

function textRuns({ text, bold, italic, strike, code, link }: Run): readonly ParagraphChild[] {
  const look = {
    bold,
    italics: italic,
    strike,
    rightToLeft: isRightToLeft(text),
    ...(code === true && { font: monospace }),
  };
  const lines = text
    .split("\n")
    .map((line, index) => ({ ...look, text: line, ...(index > 0 && { break: 1 }) }));
  if (link === undefined) return lines.map((line) => new TextRun(line));
  return [
    new ExternalHyperlink({
      link,
      children: lines.map((line) => new TextRun({ ...line, style: "Hyperlink" })),
    }),
  ];
}

const paragraph = (runs: readonly Run[], options: IParagraphOptions = {}): Paragraph =>
  new Paragraph({
    ...options,
    bidirectional: isRightToLeft(plainText(runs)),
    children: runs.flatMap(textRuns),
  });

const quoted = (quote: number): IParagraphOptions =>
  quote === 0 ? {} : { indent: { left: twips(24 * quote) }, style: "Quote" };

/** Word counts an ordered list by itself, from its first number on. */
function item({ depth, marker, runs }: Item, list: string): Paragraph {
  const level = Math.min(depth, 8);
  if (marker === "•") return paragraph(runs, { numbering: { reference: "bullets", level } });
  if (/^\d/.test(marker)) return paragraph(runs, { numbering: { reference: list, level } });
  const text = marker === "" ? runs : [{ text: `${marker} ` }, ...runs];
  return paragraph(text, { indent: { left: twips(18 * (level + 1)) } });
}

function table({ rows }: TableBlock): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (row, index) =>
        new TableRow({
          tableHeader: index === 0,
          children: row.map(
            (cell) =>
              new TableCell({
                children: [paragraph(index === 0 ? cell.map((run) => ({ ...run, bold: true })) : cell)],
              }),
          ),
        }),
    ),
  });
}

const code = (text: string): readonly Paragraph[] =>
  text
    .split("\n")
    .map(
      (line) => new Paragraph({ style: "Code", children: [new TextRun({ text: line, font: monospace })] }),
    );

const rule = (): Paragraph =>
  new Paragraph({
    border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: "auto", space: 1 } },
    children: [],
  });

function blockParts(block: Block, list: string): readonly (Paragraph | Table)[] {
  if (block.type === "heading") return [paragraph(block.runs, { heading: levels[block.level - 1] })];
  if (block.type === "paragraph") return [paragraph(block.runs, quoted(block.quote))];
  if (block.type === "item") return [item(block, list)];
  if (block.type === "table") return [table(block), new Paragraph({ children: [] })];
  return block.type === "code" ? code(block.text) : [rule()];
}

/**
 * The number that each block's list begins with, and the list's name; blocks outside of ordered lists have
 * the name of the one before.
 */
function numberLists(blocks: readonly Block[]): {
  readonly names: readonly string[];
  readonly starts: readonly number[];
} {
  const starts: number[] = [];
  let inside = false;
  const names = blocks.map((block) => {
    const ordered = block.type === "item" && block.depth === 0 && /^\d/.test(block.marker);
    if (ordered && !inside) starts.push(Number.parseInt(block.marker, 10));
    inside = ordered || (inside && block.type === "item" && (block.depth > 0 || block.marker === ""));
    return `numbers${Math.max(1, starts.length)}`;
  });
  return { names, starts: starts.length === 0 ? [1] : starts };
}

const level = (index: number, format: "bullet" | "decimal", start = 1) => ({
  level: index,
  format: format === "bullet" ? LevelFormat.BULLET : LevelFormat.DECIMAL,
  text: format === "bullet" ? "•" : `%${index + 1}.`,
  start: index === 0 ? start : 1,
  alignment: AlignmentType.LEFT,
  style: { paragraph: { indent: { left: twips(18 * (index + 1)), hanging: twips(18) } } },
});

const nine = Array.from({ length: 9 }, (_, index) => index);

function openDocument({ title, author, description, style, blocks }: Manuscript): Document {
  const { names, starts } = numberLists(blocks);
  const { page_width, page_height, margin_top, margin_right, margin_bottom, margin_left } = style;
  const size = { width: twips(page_width), height: twips(page_height) };
  const margin = {
    top: twips(margin_top),
    right: twips(margin_right),
    bottom: twips(margin_bottom),
    left: twips(margin_left),
  };
  return new Document({
    ...(title !== "" && { title }),
    creator: author,
    description,
    lastModifiedBy: author,
    styles: docxStyles(style, monospace),
    numbering: {
      config: [
        { reference: "bullets", levels: nine.map((index) => level(index, "bullet")) },
        ...starts.map((start, index) => ({
          reference: `numbers${index + 1}`,
          levels: nine.map((depth) => level(depth, "decimal", start)),
        })),
      ],
    },
    sections: [
      {
        properties: { page: { size, margin } },
        children: blocks.flatMap((block, index) => blockParts(block, names[index] ?? "")),
      },
    ],
  });
}

export const writeDocx: Writer = async (manuscript) => ({
  bytes: await Packer.toBuffer(openDocument(manuscript)),
});
