import { RequestError, type ContentBlock, type EmbeddedResource } from "@agentclientprotocol/sdk";

/** A part of a message, as chat requests carry it. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

const text = (words: string): Part => ({ type: "text", text: words });
const image = (mimeType: string, data: string): Part => ({
  type: "image_url",
  image_url: { url: `data:${mimeType};base64,${data}` },
});

/** A file's contents, as the editor has them, saved or not. */
function partOfResource({ resource }: EmbeddedResource): Part {
  const { uri, mimeType } = resource;
  if ("text" in resource) return text(`<resource uri="${uri}">\n${resource.text}\n</resource>`);
  if (mimeType?.startsWith("image/")) return image(mimeType, resource.blob);
  return text(`${uri} (not text: ${mimeType ?? "of an unknown type"}, left out)`);
}

function partOf(block: ContentBlock): Part {
  if (block.type === "text") return text(block.text);
  if (block.type === "image") return image(block.mimeType, block.data);
  if (block.type === "resource_link") return text(`[${block.title ?? block.name}](${block.uri})`);
  if (block.type === "resource") return partOfResource(block);
  throw RequestError.invalidParams(undefined, `A prompt cannot hold ${block.type}.`);
}

/**
 * The content of a message: parts, or one text where there is nothing else, each block that is not plain text
 * in lines of its own. Throws RequestError for what was not announced.
 */
export function contentOf(prompt: readonly ContentBlock[]): string | readonly Part[] {
  const parts = prompt.map(partOf);
  const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
  if (texts.length < parts.length) return parts;
  const isFlowing = prompt.every(({ type }) => type === "text" || type === "resource_link");
  return texts.join(isFlowing ? "" : "\n\n");
}
