import { invalidValue } from "../invalid-value.ts";
import { headingSize, textHeight, textWidth, type Style, type StyleFacts } from "./style.ts";

const pages: Style = {
  font_family: "Helvetica",
  font_size: 11,
  heading1_size: 22,
  heading2_size: 16,
  heading3_size: 13,
  text_color: "#000000",
  heading_color: "#000000",
  page_width: 612,
  page_height: 792,
  margin_top: 72,
  margin_right: 72,
  margin_bottom: 72,
  margin_left: 72,
  line_spacing: 1.15,
};

/** Slides of 16:9 have larger text and narrow margins. */
const slides: Style = {
  ...pages,
  font_size: 18,
  heading1_size: 36,
  heading2_size: 28,
  heading3_size: 22,
  page_width: 960,
  page_height: 540,
  margin_top: 36,
  margin_right: 48,
  margin_bottom: 36,
  margin_left: 48,
  line_spacing: 1,
};

const ranges: readonly (readonly [name: RegExp, least: number, most: number])[] = [
  [/^page_/, 72, 14_400],
  [/^margin_/, 0, 7_200],
  [/_size$/, 4, 400],
  [/^line_spacing$/, 0.5, 5],
];

/** Points that a page must leave between its margins. */
const leastRoom = 72;

function checkRange(name: string, value: unknown): void {
  if (typeof value !== "number") return;
  const [, least, most] = ranges.find(([pattern]) => pattern.test(name)) ?? [];
  if (least === undefined || most === undefined || (value >= least && value <= most)) return;
  const unit = name === "line_spacing" ? "" : " points";
  throw invalidValue(`${name} is ${value}.`, `It must lie between ${least} and ${most}${unit}.`);
}

function checkRoom(style: Style): void {
  if (Math.min(textWidth(style), textHeight(style)) < leastRoom)
    throw invalidValue(
      "The margins leave no room on the page.",
      `Leave at least ${leastRoom} points between them.`,
    );
  const sizes = [1, 2, 3, 4].map((level) => headingSize(style, level));
  if (style.line_spacing * Math.max(...sizes) * 1.5 > textHeight(style))
    throw invalidValue(
      "A line of the largest text is higher than the page has room.",
      "Choose smaller sizes or a larger page.",
    );
}

/**
 * What is not given gets a default for the format. Throws ToolError `invalid_value` for lengths that make no
 * page.
 */
export function completeStyle(facts: StyleFacts, format: string): Style {
  const style = { ...(format === "pptx" ? slides : pages), ...facts };
  for (const [name, value] of Object.entries(style)) checkRange(name, value);
  checkRoom(style);
  return style;
}
