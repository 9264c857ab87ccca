import { defined } from "@pergola/sdk";
import { hexColour, styleFacts, type StyleFacts } from "../style/style.ts";
import type { OfficePackage } from "./office-package.ts";
import { visitXml, type Attributes } from "./visit-xml.ts";

/** What `word/styles.xml` says of one style; sizes in half points. */
interface FoundStyle {
  font?: string | undefined;
  halfPoints?: number;
  colour?: string | undefined;
  /** 240ths of a line. */
  line?: number;
}

const setters: Readonly<Record<string, (style: FoundStyle, attributes: Attributes) => void>> = {
  rFonts: (style, { ascii }) => void (style.font ??= ascii),
  sz: (style, { val }) => void (style.halfPoints ??= Number(val)),
  color: (style, { val }) => void (style.colour ??= val),
  spacing: (style, { line, lineRule = "auto" }) => {
    if (line !== undefined && lineRule === "auto") style.line ??= Number(line);
  },
};

/** Styles by their id; what all inherit stands under `defaults`. */
function stylesOf(xml: string): ReadonlyMap<string, FoundStyle> {
  const styles = new Map<string, FoundStyle>();
  let current: FoundStyle | undefined;
  const isStyle = (name: string): boolean => name === "docDefaults" || name === "style";
  visitXml(xml, {
    open(name, attributes) {
      const { styleId = "defaults" } = attributes;
      if (isStyle(name)) styles.set(styleId, (current = {}));
      else if (current !== undefined) setters[name]?.(current, attributes);
    },
    close(name) {
      if (isStyle(name)) current = undefined;
    },
  });
  return styles;
}

/** The page of the last section, in twentieths of a point. */
function pageOf(xml: string): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  visitXml(xml, {
    open(name, attributes) {
      if (name !== "pgSz" && name !== "pgMar") return;
      for (const key of ["w", "h", "top", "right", "bottom", "left"])
        if (attributes[key] !== undefined) found[key] = Number(attributes[key]) / 20;
    },
  });
  return found;
}

const points = ({ halfPoints = NaN }: FoundStyle = {}): number => halfPoints / 2;

export function docxStyle(parts: OfficePackage): StyleFacts {
  const styles = stylesOf(parts.text("word/styles.xml"));
  const [defaults, normal] = [styles.get("defaults"), styles.get("Normal")];
  const [first, second, third] = [1, 2, 3].map((level) => styles.get(`Heading${level}`));
  const { w, h, top, right, bottom, left } = pageOf(parts.text("word/document.xml"));
  const base = { ...defaults, ...defined(normal ?? {}) };
  return styleFacts({
    font_family: base.font,
    font_size: points(base),
    heading1_size: points(first),
    heading2_size: points(second),
    heading3_size: points(third),
    text_color: hexColour(base.colour),
    heading_color: hexColour(first?.colour),
    page_width: w,
    page_height: h,
    margin_top: top,
    margin_right: right,
    margin_bottom: bottom,
    margin_left: left,
    line_spacing: base.line && base.line / 240,
  });
}
