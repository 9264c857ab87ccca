import { styleFacts, type StyleFacts } from "../style/style.ts";
import type { Reading } from "./document-text.ts";
import type { OfficePackage } from "./office-package.ts";
import { slideText } from "./slide-text.ts";
import { visitXml } from "./visit-xml.ts";

/** English Metric Units in a point. */
const unitsPerPoint = 12_700;

/** The targets of a part's relations by their id, as paths in the package. */
function relationsOf(
  parts: OfficePackage,
  part: string,
): ReadonlyMap<string, { readonly type: string; readonly target: string }> {
  const [folder, name] = [part.slice(0, part.lastIndexOf("/")), part.slice(part.lastIndexOf("/") + 1)];
  const found = new Map<string, { readonly type: string; readonly target: string }>();
  visitXml(parts.text(`${folder}/_rels/${name}.rels`), {
    open(element, { Id = "", Type = "", Target = "", TargetMode }) {
      if (element !== "Relationship" || TargetMode === "External") return;
      const target = new URL(Target, `package:///${folder}/`).pathname.slice(1);
      found.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), target });
    },
  });
  return found;
}

interface Show {
  readonly slides: readonly string[];
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The slides in the order in which they are shown, and their size in points. */
function showOf(parts: OfficePackage): Show {
  const relations = relationsOf(parts, "ppt/presentation.xml");
  const slides: string[] = [];
  const size: { cx?: number; cy?: number } = {};
  visitXml(parts.text("ppt/presentation.xml"), {
    open(name, attributes) {
      if (name === "sldId") slides.push(relations.get(attributes["r:id"] ?? "")?.target ?? "");
      if (name === "sldSz")
        Object.assign(size, { cx: Number(attributes["cx"]), cy: Number(attributes["cy"]) });
    },
  });
  const points = (units = Number.NaN): number => units / unitsPerPoint;
  return { slides: slides.filter((name) => name !== ""), width: points(size.cx), height: points(size.cy) };
}

/** The theme's font for text. */
function fontOf(parts: OfficePackage): string | undefined {
  let [inMinor, font] = [false, undefined as string | undefined];
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
  const [notes] = [...relationsOf(parts, slide).values()].filter(({ type }) => type === "notesSlide");
  const { body } = slideText(parts.text(notes?.target ?? ""));
  return body && `Notes: ${body}`;
}

/** Every slide as a heading and its text, in the order of the show. */
export async function readPptx(parts: OfficePackage): Promise<Reading> {
  const { slides, width, height } = showOf(parts);
  const texts = slides.map((slide, index) => {
    const { title, body } = slideText(parts.text(slide));
    const heading = `## Slide ${index + 1}${title && `: ${title}`}`;
    return [heading, body, notesOf(parts, slide)].filter((text) => text !== "").join("\n\n");
  });
  const style: StyleFacts = styleFacts({
    font_family: fontOf(parts),
    page_width: width,
    page_height: height,
  });
  return { text: texts.join("\n\n"), style, facts: { slide_count: slides.length } };
}
