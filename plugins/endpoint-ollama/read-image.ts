import { fieldFault } from "@pergola/kit-provider";
import type { ContentPart } from "@pergola/sdk";

/** The first bytes of the formats, in base64 as far as they fill it. */
const beginnings: readonly (readonly [begins: string, mediaType: string])[] = [
  ["iVBORw0KGg", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/** An image in base64, plain or as a data URL; its first bytes tell its type. Throws `invalid_value`. */
export function readImage(image: unknown, at: string): ContentPart {
  if (typeof image === "string") {
    const data = image.replace(/^data:[\w/+.-]*;base64,/, "");
    const [, mediaType] = beginnings.find(([begins]) => data.startsWith(begins)) ?? [];
    if (mediaType !== undefined)
      return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
  }
  throw fieldFault(at, "must be a PNG, JPEG, GIF or WebP image in base64");
}
