import { createRequire } from "node:module";
import { defined } from "@pergola/sdk";
import type PptxGen from "pptxgenjs";
import { plainText, type Block, type Row, type Run, type Table } from "../markdown/blocks.ts";
import { colourDigits, textWidth, type Style } from "../style/style.ts";
import { isRightToLeft } from "./right-to-left.ts";
import { slidesOf, type Slide } from "./slides.ts";
import type { Writer } from "./write-job.ts";

type TextProps = PptxGen.TextProps;

/**
 * The package's declarations and what it exports do not agree for modules; `require` gives the class itself.
 */
const Pptx = createRequire(import.meta.url)("pptxgenjs") as new () => PptxGen;

const inches = (points: number): number => points / 72;

function textProps(runs: readonly Run[], base: PptxGen.TextPropsOptions): readonly TextProps[] {
  return runs.map(({ text, bold, italic, strike, code, link }) => ({
    text: text.replaceAll("\n", " "),
    options: {
      ...base,
      ...defined({ bold, italic }),
      ...(strike === true && { strike: "sngStrike" as const }),
      ...(code === true && { fontFace: "Courier New" }),
      ...(link !== undefined && { hyperlink: { url: link } }),
    },
  }));
}

/** The last run of a paragraph ends its line; the first one carries the bullet. */
function line(runs: readonly Run[], look: PptxGen.TextPropsOptions): readonly TextProps[] {
  if (runs.length === 0) return line([{ text: " " }], look);
  const props = textProps(runs, { ...look, ...(isRightToLeft(plainText(runs)) && { rtlMode: true }) });
  return props.map((prop, index) => ({
    ...prop,
    options: { ...prop.options, breakLine: index === props.length - 1 },
  }));
}

function bodyText(block: Exclude<Block, Table>, style: Style): readonly TextProps[] {
  const base = {
    fontSize: style.font_size,
    fontFace: style.font_family,
    color: colourDigits(style.text_color),
  };
  if (block.type === "heading")
    return line(block.runs, {
      ...base,
      fontSize: style.heading3_size,
      bold: true,
      color: colourDigits(style.heading_color),
    });
  if (block.type === "code")
    return block.text.split("\n").flatMap((text) => line([{ text: text || " ", code: true }], base));
  if (block.type === "rule") return [];
  if (block.type === "paragraph") return line(block.runs, base);
  const { marker, runs, depth } = block;
  const look = { ...base, indentLevel: depth };
  const [, number] = /^(\d+)\.$/.exec(marker) ?? [];
  if (number !== undefined)
    return line(runs, { ...look, bullet: { type: "number", numberStartAt: Number(number) } });
  if (marker === "•") return line(runs, { ...look, bullet: true });
  return line([{ text: marker && `${marker} ` }, ...runs], look);
}

function tableRows({ rows: [head = [], ...rows] }: Table, style: Style): PptxGen.TableRow[] {
  const tableRow = (row: Row, colour: string, bold: boolean): PptxGen.TableRow =>
    row.map((cell) => ({
      text: plainText(cell),
      options: {
        fontFace: style.font_family,
        fontSize: style.font_size * 0.8,
        color: colourDigits(colour),
        bold,
      },
    }));
  return [
    tableRow(head, style.heading_color, true),
    ...rows.map((row) => tableRow(row, style.text_color, false)),
  ];
}

/** Where the text below a slide's title begins. */
const bodyTop = ({ margin_top, heading2_size }: Style): number => margin_top + heading2_size * 1.8;

/** Names the places for text, so that the file has titles that outlines and screen readers know. */
function defineLayouts(show: PptxGen, style: Style): void {
  const { page_height, margin_top, margin_bottom, heading1_size, heading2_size } = style;
  const base = {
    x: inches(style.margin_left),
    w: inches(textWidth(style)),
    fontFace: style.font_family,
  };
  const title = {
    ...base,
    name: "title",
    type: "title" as const,
    color: colourDigits(style.heading_color),
    bold: true,
  };
  show.defineSlideMaster({
    title: "Opening",
    objects: [
      {
        placeholder: {
          options: {
            ...title,
            y: inches(page_height * 0.3),
            h: inches(page_height * 0.35),
            fontSize: heading1_size,
            align: "center",
            valign: "middle",
          },
          text: "",
        },
      },
    ],
  });
  const heading = {
    ...title,
    y: inches(margin_top),
    h: inches(heading2_size * 1.6),
    fontSize: heading2_size,
    valign: "top" as const,
  };
  const body = {
    ...base,
    name: "body",
    type: "body" as const,
    y: inches(bodyTop(style)),
    h: inches(page_height - bodyTop(style) - margin_bottom),
    valign: "top" as const,
    margin: 0,
  };
  show.defineSlideMaster({
    title: "Content",
    objects: [{ placeholder: { options: heading, text: "" } }, { placeholder: { options: body, text: "" } }],
  });
  show.defineSlideMaster({ title: "Heading", objects: [{ placeholder: { options: heading, text: "" } }] });
}

function layoutOf({ opens, table }: Slide): string {
  if (opens) return "Opening";
  return table === undefined ? "Content" : "Heading";
}

function addSlide(show: PptxGen, content: Slide, style: Style): void {
  const { title, body, table } = content;
  const slide = show.addSlide({ masterName: layoutOf(content) });
  if (title.length > 0) slide.addText([...textProps(title, {})], { placeholder: "title" });
  const lines = body.flatMap((block) => bodyText(block, style));
  if (lines.length > 0)
    slide.addText([...lines], { placeholder: "body", lineSpacingMultiple: style.line_spacing });
  if (table === undefined) return;
  slide.addTable(tableRows(table, style), {
    x: inches(style.margin_left),
    y: inches(bodyTop(style)),
    w: inches(textWidth(style)),
    border: { type: "solid", pt: 0.5, color: "999999" },
  });
}

export const writePptx: Writer = async ({ title, author, description, blocks, style }) => {
  const show = new Pptx();
  show.defineLayout({
    name: "Own",
    width: inches(style.page_width),
    height: inches(style.page_height),
  });
  show.layout = "Own";
  Object.assign(show, {
    title: title || "Presentation",
    author,
    subject: description,
    company: "",
  });
  show.theme = { headFontFace: style.font_family, bodyFontFace: style.font_family };
  defineLayouts(show, style);
  const slides = slidesOf(blocks, style);
  for (const slide of slides) addSlide(show, slide, style);
  if (slides.length === 0) show.addSlide();
  return { bytes: (await show.write({ outputType: "nodebuffer" })) as Uint8Array };
};
