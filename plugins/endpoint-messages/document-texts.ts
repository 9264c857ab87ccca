import { attachmentText } from "@pergola/kit-file-facts";
import { replaceParts, type Part } from "@pergola/kit-provider";
import { isObject, stringOf } from "@pergola/sdk";

const sourceOf = ({ source }: Part): Part => (isObject(source) ? source : {});

function isPdf(part: Part): boolean {
  const { type, media_type: mediaType, data } = sourceOf(part);
  const isInline = type === "base64" && typeof data === "string";
  return part["type"] === "document" && isInline && mediaType === "application/pdf";
}

/** The same messages with the text of each PDF in its place, as far as one can be read. */
export const withDocumentTexts = <T>(messages: T, signal: AbortSignal): Promise<T> =>
  replaceParts(messages, isPdf, async (part) => {
    const bytes = Buffer.from(stringOf(sourceOf(part)["data"]), "base64");
    const text = await attachmentText("application/pdf", bytes, signal);
    if (text === undefined) return part;
    return { ...part, source: { type: "text", media_type: "text/plain", data: text } };
  });
