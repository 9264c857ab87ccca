import { plainText, type Block, type Run, type Table } from "../markdown/blocks.ts";
import type { Style } from "../style/style.ts";

export interface Slide {
  readonly title: readonly Run[];
  /** A slide that begins a part: its title alone. */
  readonly opens: boolean;
  readonly body: readonly Exclude<Block, Table>[];
  readonly table: Table | undefined;
}

interface Room {
  readonly lines: number;
  /** Characters that a line holds, roughly: letters are about half as wide as high. */
  readonly characters: number;
}

function roomOf({
  page_width,
  page_height,
  margin_top,
  margin_right,
  margin_bottom,
  margin_left,
  font_size,
  heading2_size,
  line_spacing,
}: Style): Room {
  const [width, height] = [
    page_width - margin_left - margin_right,
    page_height - margin_top - margin_bottom - heading2_size * 1.8,
  ];
  return {
    lines: Math.max(1, Math.floor(height / (font_size * 1.35 * line_spacing))),
    characters: Math.max(8, Math.floor(width / (font_size * 0.52))),
  };
}

function textOf(block: Block): string {
  if (block.type === "code") return block.text;
  return "runs" in block ? plainText(block.runs) : "";
}

const linesOf = (block: Block, { characters }: Room): number =>
  textOf(block)
    .split("\n")
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / characters)), 0);

const tableLines = ({ rows }: Table, { characters }: Room): readonly number[] =>
  rows.map(
    (row) =>
      1.4 * Math.max(1, ...row.map((cell) => Math.ceil((plainText(cell).length * row.length) / characters))),
  );

/** A long table on several slides, each under its head. */
function splitTable(table: Table, room: Room): readonly Table[] {
  const [head = [], ...rows] = table.rows;
  const [headLines = 1, ...lines] = tableLines(table, room);
  const parts: (typeof table.rows)[] = [];
  let left = 0;
  rows.forEach((row, index) => {
    const wanted = lines[index] ?? 1;
    if (parts.length === 0 || wanted > left) {
      parts.push([head]);
      left = room.lines - headLines;
    }
    parts[parts.length - 1] = [...(parts.at(-1) ?? []), row];
    left -= wanted;
  });
  return parts.length === 0 ? [table] : parts.map((part) => ({ ...table, rows: part }));
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
  const slides: {
    title: readonly Run[];
    opens: boolean;
    body: Exclude<Block, Table>[];
    table: Table | undefined;
  }[] = [];
  let left = 0;
  const begin = (title: readonly Run[], table?: Table): void => {
    slides.push({ title, opens: false, body: [], table });
    left = table === undefined ? room.lines : 0;
  };
  const continueSlide = (table?: Table): void => {
    const last = slides.at(-1);
    if (last?.body.length === 0 && last.table === undefined && table !== undefined) last.table = table;
    else begin(last?.title ?? [], table);
    if (table !== undefined) left = 0;
  };
  for (const block of blocks.flatMap((one) => splitCode(one, room))) {
    if (block.type === "heading" && block.level <= 2) begin(block.runs);
    else if (block.type === "rule") left = 0;
    else if (block.type === "table") splitTable(block, room).forEach(continueSlide);
    else {
      if (left < linesOf(block, room) && !(slides.at(-1)?.body.length === 0 && left === room.lines))
        continueSlide();
      slides.at(-1)?.body.push(block);
      left -= linesOf(block, room);
    }
  }
  return slides.map((slide) => ({ ...slide, opens: slide.body.length === 0 && slide.table === undefined }));
}
