import path from "node:path";
import { styleFacts } from "../style/style.ts";
import type { Reading } from "./document-text.ts";
import type { OfficePackage } from "./office-package.ts";
import { slideText } from "./slide-text.ts";
import { visitXml } from "./visit-xml.ts";

/** English Metric Units in a point. */
const unitsPerPoint = 12_700;

interface Relation {
  readonly type: string;
  /** A path in the package. */
  readonly target: string;
}

/** The targets of a part's relations by their id. */
function relationsOf(parts: OfficePackage, part: string): ReadonlyMap<string, Relation> {
  const { dir: folder, base } = path.posix.parse(part);
  const found = new Map<string, Relation>();
  visitXml(parts.text(`${folder}/_rels/${base}.rels`), {
    open(element, { Id = "", Type = "", Target = "", TargetMode }) {
      if (element !== "Relationship" || TargetMode === "External") return;
      const target = new URL(Target, `package:///${folder}/`).pathname.slice(1);
      found.set(Id, { type: path.posix.basename(Type), target });
    },
  });
  return found;
}

/** The slides in the order in which they are shown, and their size in points. */
function showOf(parts: OfficePackage) {
  const relations = relationsOf(parts, "ppt/presentation.xml");
  const slides: string[] = [];
  let [width, height] = [NaN, NaN];
  visitXml(parts.text("ppt/presentation.xml"), {
    open(name, attributes) {
      const slide = name === "sldId" && relations.get(attributes["r:id"] ?? "");
      if (slide) slides.push(slide.target);
      if (name !== "sldSz") return;
      width = Number(attributes["cx"]) / unitsPerPoint;
      height = Number(attributes["cy"]) / unitsPerPoint;
    },
  });
  return { slides, width, height };
}

/** The theme's font for text. */
function fontOf(parts: OfficePackage): string | undefined {
  let inMinor = false;
  let font: string | undefined;
  visitXml(parts.text("ppt/theme/theme1.xml"), {
    open(name, { typeface }) {
      if (name === "minorFont") inMinor = true;
      else if (name === "latin" && inMinor) font ??= typeface;
    },
    close(name) {
      if (name === "minorFont") inMinor = false;
    },
  });
  return font;
}

function notesOf(parts: OfficePackage, slide: string): string {
  const notes = [...relationsOf(parts, slide).values()].find(({ type }) => type === "notesSlide");
  const { body } = slideText(parts.text(notes?.target ?? ""));
  return body && `Notes: ${body}`;
}

/** Every slide as a heading and its text, in the order of the show. */
export async function readPptx(parts: OfficePackage): Promise<Reading> {
  const { slides, width, height } = showOf(parts);
  const texts = slides.map((slide, index) => {
    const { title, body } = slideText(parts.text(slide));
    const heading = `## Slide ${index + 1}${title && `: ${title}`}`;
    return [heading, body, notesOf(parts, slide)].filter(Boolean).join("\n\n");
  });
  const style = styleFacts({
    font_family: fontOf(parts),
    page_width: width,
    page_height: height,
  });
  return {
    text: texts.join("\n\n"),
    style,
    facts: { slide_count: slides.length },
  };
}
