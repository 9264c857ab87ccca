import { createRequire } from "node:module";
import type PptxGen from "pptxgenjs";
import { plainText, type Block, type Run, type Table } from "../markdown/blocks.ts";
import type { Style } from "../style/style.ts";
import { isRightToLeft } from "./right-to-left.ts";
import { slidesOf, type Slide } from "./slides.ts";
import type { Writer } from "./write-job.ts";

type Presentation = PptxGen;
type TextProps = PptxGen.TextProps;

/**
 * The package's declarations and what it exports do not agree for modules; `require` gives the class itself.
 */
const Pptx = createRequire(import.meta.url)("pptxgenjs") as new () => Presentation;

const inches = (points: number): number => points / 72;
const digits = (colour: string): string => colour.slice(1);

function textProps(runs: readonly Run[], base: PptxGen.TextPropsOptions): readonly TextProps[] {
  return runs.map(({ text, bold, italic, strike, code, link }) => ({
    text: text.replaceAll("\n", " "),
    options: {
      ...base,
      ...(bold === true && { bold }),
      ...(italic === true && { italic }),
      ...(strike === true && { strike: "sngStrike" as const }),
      ...(code === true && { fontFace: "Courier New" }),
      ...(link !== undefined && { hyperlink: { url: link } }),
    },
  }));
}

/** The last run of a paragraph ends its line; the first one carries the bullet. */
function line(
  runs: readonly Run[],
  base: PptxGen.TextPropsOptions,
  paragraph: PptxGen.TextPropsOptions = {},
): readonly TextProps[] {
  const props = textProps(runs.length === 0 ? [{ text: " " }] : runs, {
    ...base,
    ...paragraph,
    ...(isRightToLeft(plainText(runs)) && { rtlMode: true }),
  });
  return props.map((prop, index) => ({
    ...prop,
    options: { ...prop.options, breakLine: index === props.length - 1 },
  }));
}

function bodyText(block: Exclude<Block, Table>, style: Style): readonly TextProps[] {
  const base = { fontSize: style.font_size, fontFace: style.font_family, color: digits(style.text_color) };
  if (block.type === "heading")
    return line(block.runs, {
      ...base,
      fontSize: style.heading3_size,
      bold: true,
      color: digits(style.heading_color),
    });
  if (block.type === "code")
    return block.text.split("\n").flatMap((text) => line([{ text: text || " ", code: true }], base));
  if (block.type === "rule") return [];
  if (block.type === "paragraph") return line(block.runs, base);
  const ordered = /^(\d+)\.$/.exec(block.marker);
  if (ordered !== null)
    return line(block.runs, base, {
      bullet: { type: "number", numberStartAt: Number(ordered[1]) },
      indentLevel: block.depth,
    });
  if (block.marker === "•") return line(block.runs, base, { bullet: true, indentLevel: block.depth });
  return line([{ text: block.marker === "" ? "" : `${block.marker} ` }, ...block.runs], base, {
    indentLevel: block.depth,
  });
}

const tableRows = ({ rows }: Table, style: Style): PptxGen.TableRow[] =>
  rows.map((row, index) =>
    row.map((cell) => ({
      text: plainText(cell),
      options: {
        fontFace: style.font_family,
        fontSize: style.font_size * 0.8,
        color: digits(index === 0 ? style.heading_color : style.text_color),
        bold: index === 0,
      },
    })),
  );

/** Names the places for text, so that the file has titles that outlines and screen readers know. */
function defineLayouts(show: Presentation, style: Style): void {
  const {
    page_width,
    page_height,
    margin_top,
    margin_right,
    margin_bottom,
    margin_left,
    heading1_size,
    heading2_size,
    font_family,
  } = style;
  const [x, w] = [inches(margin_left), inches(page_width - margin_left - margin_right)];
  const title = {
    type: "title" as const,
    x,
    w,
    fontFace: font_family,
    color: digits(style.heading_color),
    bold: true,
  };
  const top = margin_top + heading2_size * 1.8;
  const body = {
    name: "body",
    type: "body" as const,
    x,
    w,
    y: inches(top),
    h: inches(page_height - top - margin_bottom),
  };
  show.defineSlideMaster({
    title: "Opening",
    objects: [
      {
        placeholder: {
          options: {
            name: "title",
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
    name: "title",
    ...title,
    y: inches(margin_top),
    h: inches(heading2_size * 1.6),
    fontSize: heading2_size,
    valign: "top" as const,
  };
  show.defineSlideMaster({
    title: "Content",
    objects: [
      { placeholder: { options: heading, text: "" } },
      { placeholder: { options: { ...body, fontFace: font_family, valign: "top", margin: 0 }, text: "" } },
    ],
  });
  show.defineSlideMaster({ title: "Heading", objects: [{ placeholder: { options: heading, text: "" } }] });
}

function addSlide(show: Presentation, { title, opens, body, table }: Slide, style: Style): void {
  const filled = table === undefined ? "Content" : "Heading";
  const slide = show.addSlide({ masterName: opens ? "Opening" : filled });
  if (title.length > 0) slide.addText([...textProps(title, {})], { placeholder: "title" });
  const lines = body.flatMap((block) => bodyText(block, style));
  if (lines.length > 0)
    slide.addText([...lines], { placeholder: "body", lineSpacingMultiple: style.line_spacing });
  if (table === undefined) return;
  const { page_width, margin_top, margin_right, margin_left, heading2_size } = style;
  slide.addTable(tableRows(table, style), {
    x: inches(margin_left),
    y: inches(margin_top + heading2_size * 1.8),
    w: inches(page_width - margin_left - margin_right),
    border: { type: "solid", pt: 0.5, color: "999999" },
  });
}

export const writePptx: Writer = async ({ title, author, description, blocks, style }) => {
  const show = new Pptx();
  show.defineLayout({ name: "Own", width: inches(style.page_width), height: inches(style.page_height) });
  show.layout = "Own";
  Object.assign(show, { title: title || "Presentation", author, subject: description, company: "" });
  show.theme = { headFontFace: style.font_family, bodyFontFace: style.font_family };
  defineLayouts(show, style);
  const slides = slidesOf(blocks, style);
  for (const slide of slides) addSlide(show, slide, style);
  if (slides.length === 0) show.addSlide();
  return { bytes: (await show.write({ outputType: "nodebuffer" })) as Uint8Array };
};
