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
import {
  plainText,
  type Block,
  type Item,
  type Row,
  type Run,
  type Table as TableBlock,
} from "../markdown/blocks.ts";
import { twips } from "../style/style.ts";
import { addDefaultStyles } from "./docx-default-styles.ts";
import { docxStyles } from "./docx-styles.ts";
import { isRightToLeft } from "./right-to-left.ts";
import type { Manuscript, Writer } from "./write-job.ts";

const monospace = "Courier New";
/** The names of Word's headings, from the first level to the sixth. */
const headingLevels = Object.values(HeadingLevel);

function textRuns({ text, bold, italic, strike, code, link }: Run): readonly ParagraphChild[] {
  const look = {
    bold,
    italics: italic,
    strike,
    rightToLeft: isRightToLeft(text),
    ...(code === true && { font: monospace }),
  };
  const style = link && "Hyperlink";
  const children = text.split("\n").map(
    (line, index) =>
      new TextRun({
        ...look,
        style,
        text: line,
        ...(index > 0 && { break: 1 }),
      }),
  );
  if (link === undefined) return children;
  return [new ExternalHyperlink({ link, children })];
}

const paragraph = (runs: readonly Run[], options: IParagraphOptions = {}): Paragraph =>
  new Paragraph({
    ...options,
    bidirectional: isRightToLeft(plainText(runs)),
    children: runs.flatMap(textRuns),
  });

function quoteOptions(quote: number): IParagraphOptions {
  if (quote === 0) return {};
  return { indent: { left: twips(24 * quote) }, style: "Quote" };
}

/** Word counts an ordered list by itself, from its first number on. */
function item({ depth, marker, runs }: Item, list: string): Paragraph {
  const level = Math.min(depth, 8);
  if (marker === "•") return paragraph(runs, { numbering: { reference: "bullets", level } });
  if (/^\d/.test(marker)) return paragraph(runs, { numbering: { reference: list, level } });
  const markerRuns = [marker].filter(Boolean).map((sign) => ({ text: `${sign} ` }));
  return paragraph([...markerRuns, ...runs], { indent: { left: twips(18 * (level + 1)) } });
}

const tableRow = (row: Row, isHead: boolean): TableRow =>
  new TableRow({
    tableHeader: isHead,
    children: row.map((cell) => new TableCell({ children: [paragraph(cell)] })),
  });

function table({ rows: [head = [], ...rows] }: TableBlock): Table {
  const boldHead = head.map((cell) => cell.map((run) => ({ ...run, bold: true })));
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [tableRow(boldHead, true), ...rows.map((row) => tableRow(row, false))],
  });
}

function code(text: string): readonly Paragraph[] {
  const lines = text.split("\n").map((line) => new TextRun({ text: line, font: monospace }));
  return lines.map((line) => new Paragraph({ style: "Code", children: [line] }));
}

const rule = (): Paragraph =>
  new Paragraph({
    border: {
      bottom: {
        style: BorderStyle.SINGLE,
        size: 6,
        color: "auto",
        space: 1,
      },
    },
    children: [],
  });

function blockParts(block: Block, list: string): readonly (Paragraph | Table)[] {
  if (block.type === "heading") return [paragraph(block.runs, { heading: headingLevels[block.level - 1] })];
  if (block.type === "paragraph") return [paragraph(block.runs, quoteOptions(block.quote))];
  if (block.type === "item") return [item(block, list)];
  if (block.type === "table") return [table(block), new Paragraph({ children: [] })];
  if (block.type === "code") return code(block.text);
  return [rule()];
}

/**
 * The number that each block's list begins with, and the list's name; blocks outside of ordered lists have
 * the name of the one before.
 */
function numberLists(blocks: readonly Block[]) {
  const starts: number[] = [];
  let inside = false;
  const names = blocks.map((block) => {
    const ordered = block.type === "item" && block.depth === 0 && /^\d/.test(block.marker);
    if (ordered && !inside) starts.push(Number.parseInt(block.marker, 10));
    inside = ordered || (inside && block.type === "item" && (block.depth > 0 || block.marker === ""));
    return `numbers${Math.max(1, starts.length)}`;
  });
  if (starts.length === 0) starts.push(1);
  return { names, starts };
}

const nine = Array.from({ length: 9 }, (_, index) => ({
  level: index,
  alignment: AlignmentType.LEFT,
  style: { paragraph: { indent: { left: twips(18 * (index + 1)), hanging: twips(18) } } },
}));

const bulletLevels = nine.map((level) => ({
  ...level,
  format: LevelFormat.BULLET,
  text: "•",
  start: 1,
}));

const numberLevels = (start: number) =>
  nine.map((level) => ({
    ...level,
    format: LevelFormat.DECIMAL,
    text: `%${level.level + 1}.`,
    start: level.level === 0 ? start : 1,
  }));

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
        { reference: "bullets", levels: bulletLevels },
        ...starts.map((start, index) => ({
          reference: `numbers${index + 1}`,
          levels: numberLevels(start),
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
  bytes: await Packer.toBuffer(addDefaultStyles(openDocument(manuscript))),
});
