import { fieldFault } from "@pergola/kit-provider";
import { defined, isObject, type ContentPart } from "@pergola/sdk";

const textOrNone = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Parts that no model here can be shown; a line of text says that they were there. */
const unreadable: ReadonlyMap<unknown, string> = new Map([
  ["input_audio", "audio"],
  ["input_file", "a file"],
]);

/** The warnings of the parts of a content that are left out. */
export function lostParts(content: unknown, at: string): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, index) => {
    const lost = isObject(part) ? unreadable.get(part["type"]) : undefined;
    return lost === undefined ? [] : [`${at}[${index}] was left out: ${lost} cannot be read here`];
  });
}

/** `input_text`, `output_text`, `text`, `refusal` and `input_image` with an https or data URL. */
function readPart(part: unknown, at: string): ContentPart {
  const { type, text, refusal, image_url: url, detail } = isObject(part) ? part : {};
  if (["input_text", "output_text", "text"].includes(String(type)) && typeof text === "string")
    return { type: "text", text };
  if (type === "refusal" && typeof refusal === "string") return { type: "text", text: refusal };
  if (type === "input_image" && typeof url === "string" && /^(https:|data:)/i.test(url)) {
    return { type: "image_url", image_url: defined({ url, detail: textOrNone(detail) }) };
  }
  const lost = unreadable.get(type);
  if (lost !== undefined) return { type: "text", text: `(Here was ${lost} that cannot be read.)` };
  throw fieldFault(
    at,
    "must be a part of type input_text or output_text, or of type input_image with an https or data URL",
  );
}

const isText = (part: ContentPart) => part.type === "text";

/** Parts that are all text are one text. */
export function readContent(content: unknown, at: string): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw fieldFault(at, "must be a string or an array of parts");
  const parts = content.map((part, index) => readPart(part, `${at}[${index}]`));
  if (parts.every(isText)) return parts.map(({ text }) => text).join("\n");
  return parts;
}
