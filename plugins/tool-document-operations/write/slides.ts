import { plainText, type Block, type Row, type Run, type Table } from "../markdown/blocks.ts";
import { textHeight, textWidth, type Style } from "../style/style.ts";

interface Draft {
  readonly title: readonly Run[];
  readonly body: Exclude<Block, Table>[];
  table: Table | undefined;
}

export interface Slide extends Readonly<Draft> {
  /** A slide that begins a part: its title alone. */
  readonly opens: boolean;
}

const isBare = ({ body, table }: Draft): boolean => body.length === 0 && table === undefined;

interface Room {
  readonly lines: number;
  /** Characters that a line holds, roughly: letters are about half as wide as high. */
  readonly characters: number;
}

function roomOf(style: Style): Room {
  const { font_size, heading2_size, line_spacing } = style;
  const height = textHeight(style) - heading2_size * 1.8;
  return {
    lines: Math.max(1, Math.floor(height / (font_size * 1.35 * line_spacing))),
    characters: Math.max(8, Math.floor(textWidth(style) / (font_size * 0.52))),
  };
}

function textOf(block: Block): string {
  if (block.type === "code") return block.text;
  if ("runs" in block) return plainText(block.runs);
  return "";
}

function linesOf(block: Block, { characters }: Room): number {
  const lines = textOf(block).split("\n");
  const rows = lines.map((line) => Math.max(1, Math.ceil(line.length / characters)));
  return rows.reduce((sum, count) => sum + count, 0);
}

function rowLines(row: Row, { characters }: Room): number {
  const longest = row.reduce((most, cell) => Math.max(most, plainText(cell).length), 0);
  return 1.4 * Math.max(1, Math.ceil((longest * row.length) / characters));
}

/** A long table on several slides, each under its head. */
function splitTable(table: Table, room: Room): readonly Table[] {
  const [head = [], ...rows] = table.rows;
  const parts: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const lines = rowLines(row, room);
    if (parts.length === 0 || lines > left) {
      parts.push([head]);
      left = room.lines - rowLines(head, room);
    }
    parts.at(-1)?.push(row);
    left -= lines;
  }
  if (parts.length === 0) return [table];
  return parts.map((part) => ({ ...table, rows: part }));
}

/** Code with more lines than a slide holds, in pieces. */
function splitCode(block: Block, room: Room): readonly Block[] {
  if (block.type !== "code") return [block];
  const lines = block.text.split("\n");
  const pieces = Math.ceil(lines.length / room.lines);
  return Array.from({ length: pieces }, (_, index) => ({
    ...block,
    text: lines.slice(index * room.lines, (index + 1) * room.lines).join("\n"),
  }));
}

/**
 * Blocks as slides: headings of the first two levels and rules begin one, tables have one of their own, and
 * what does not fit goes on on the next under the same title.
 */
export function slidesOf(blocks: readonly Block[], style: Style): readonly Slide[] {
  const room = roomOf(style);
  const slides: Draft[] = [];
  let left = 0;
  const begin = (title: readonly Run[], table?: Table): void => {
    slides.push({ title, body: [], table });
    left = room.lines;
  };
  const continueSlide = (table?: Table): void => {
    const last = slides.at(-1);
    if (table !== undefined && last !== undefined && isBare(last)) last.table = table;
    else begin(last?.title ?? [], table);
    if (table !== undefined) left = 0;
  };
  for (const block of blocks.flatMap((one) => splitCode(one, room))) {
    if (block.type === "heading" && block.level <= 2) begin(block.runs);
    else if (block.type === "rule") left = 0;
    else if (block.type === "table") splitTable(block, room).forEach(continueSlide);
    else {
      const lines = linesOf(block, room);
      const isFresh = left === room.lines && slides.at(-1)?.body.length === 0;
      if (left < lines && !isFresh) continueSlide();
      slides.at(-1)?.body.push(block);
      left -= lines;
    }
  }
  return slides.map((slide) => ({ ...slide, opens: isBare(slide) }));
}
