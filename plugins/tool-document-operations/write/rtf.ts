import {
  plainText,
  type Block,
  type Heading,
  type Item,
  type Row,
  type Run,
  type Table,
} from "../markdown/blocks.ts";
import { headingSize, textWidth, twips, type Style } from "../style/style.ts";
import { isRightToLeft } from "./right-to-left.ts";
import type { Manuscript, Writer } from "./write-job.ts";

const halfPoints = (points: number): number => Math.round(points * 2);

/** RTF's numbers have a sign. */
const signed16 = (unit: number): number => (unit << 16) >> 16;

/** Text in 7-bit RTF: other characters as `\u` with their UTF-16 units (specification 1.9.1, Unicode RTF). */
function escape(text: string): string {
  let rtf = "";
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const character = text.charAt(index);
    if (character === "\n") rtf += "\\line ";
    else if (character === "\t") rtf += "\\tab ";
    else if ("\\{}".includes(character)) rtf += `\\${character}`;
    else if (unit >= 0x20 && unit < 0x7f) rtf += character;
    else if (unit >= 0x80) rtf += `\\u${signed16(unit)}?`;
  }
  return rtf;
}

/** A font's name must not end its place in the table. */
const fontName = (name: string): string => escape(name.replaceAll(/[;{}\\]/g, ""));

const colourEntry = (colour: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `\\red${red}\\green${green}\\blue${blue};`;
};

function run({ text, bold, italic, strike, code, link }: Run): string {
  const words = [bold && "\\b", italic && "\\i", strike && "\\strike", code && "\\f1"];
  const looks = words.filter(Boolean).join("");
  const styled = `{${looks && `${looks} `}${escape(text)}}`;
  if (link === undefined) return styled;
  const address = escape(link.replaceAll(/["\\{}]/g, encodeURIComponent));
  return `{\\field{\\*\\fldinst HYPERLINK "${address}"}{\\fldrslt {\\ul ${styled}}}}`;
}

const runs = (all: readonly Run[]): string => all.map(run).join("");
function direction(all: readonly Run[]): string {
  if (isRightToLeft(plainText(all))) return "\\rtlpar\\qr";
  return "";
}

function tableRow(row: Row, width: number, look: { readonly row: string; readonly cell: string }): string {
  const edges = row.map((_, index) => {
    const edge = Math.round((width * (index + 1)) / row.length);
    return `\\clbrdrt\\brdrs\\clbrdrl\\brdrs\\clbrdrb\\brdrs\\clbrdrr\\brdrs\\cellx${edge}`;
  });
  const cells = row.map((cell) => `\\pard\\intbl {${look.cell}${runs(cell)}}\\cell`);
  return `\\trowd\\trgaph80${look.row}${edges.join("")}\n${cells.join("\n")}\\row`;
}

function table({ rows: [head = [], ...rows] }: Table, style: Style): string {
  const width = twips(textWidth(style));
  const lines = [
    tableRow(head, width, { row: "\\trhdr", cell: "\\b " }),
    ...rows.map((row) => tableRow(row, width, { row: "", cell: "" })),
  ];
  return `${lines.join("\n")}\n\\pard\\par`;
}

function heading({ level, runs: content }: Heading, style: Style): string {
  const place = `\\outlinelevel${level - 1}\\keepn\\sb240\\sa120${spacing(style)}${direction(content)}`;
  const size = halfPoints(headingSize(style, level));
  return `\\pard${place}{\\b\\fs${size}\\cf2 ${runs(content)}}\\par`;
}

function item({ quote, depth, marker, runs: content }: Item, style: Style): string {
  const left = indent(quote) + twips(18 * (depth + 1));
  const place = `\\pard\\sa60\\li${left}\\fi-360\\tx${left}${spacing(style)}`;
  return `${place} ${escape(marker)}\\tab ${runs(content)}\\par`;
}

const indent = (quote: number): number => twips(24 * quote);
const spacing = ({ line_spacing }: Style): string => `\\sl${Math.round(240 * line_spacing)}\\slmult1`;

function paragraphs(block: Block, style: Style): string {
  if (block.type === "heading") return heading(block, style);
  if (block.type === "item") return item(block, style);
  if (block.type === "table") return table(block, style);
  if (block.type === "rule") return "\\pard\\brdrb\\brdrs\\brdrw10\\brsp20 \\par";
  const start = `\\pard\\sa120\\li${indent(block.quote)}`;
  if (block.type === "code") return `${start} {\\f1 ${escape(block.text)}}\\par`;
  return `${start}${spacing(style)}${direction(block.runs)} ${runs(block.runs)}\\par`;
}

function head({ title, author, description, style }: Manuscript): string {
  const { page_width, page_height, margin_top, margin_right, margin_bottom, margin_left } = style;
  const facts = { title, author, doccomm: description };
  const info = Object.entries(facts).map(([name, text]) => text && `{\\${name} ${escape(text)}}`);
  return [
    "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1",
    `{\\fonttbl{\\f0\\fnil ${fontName(style.font_family)};}{\\f1\\fmodern Courier New;}}`,
    `{\\colortbl;${colourEntry(style.text_color)}${colourEntry(style.heading_color)}}`,
    `{\\info${info.join("")}}`,
    `\\paperw${twips(page_width)}\\paperh${twips(page_height)}`,
    `\\margt${twips(margin_top)}\\margr${twips(margin_right)}` +
      `\\margb${twips(margin_bottom)}\\margl${twips(margin_left)}`,
    `\\f0\\fs${halfPoints(style.font_size)}\\cf1`,
  ].join("\n");
}

/** Rich Text Format 1.9.1, in plain ASCII. */
export const writeRtf: Writer = async (manuscript) => {
  const body = manuscript.blocks.map((block) => paragraphs(block, manuscript.style)).join("\n");
  return { bytes: Buffer.from(`${head(manuscript)}\n${body}\n}`, "latin1") };
};
