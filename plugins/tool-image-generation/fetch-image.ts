import { ToolError, type ToolContext } from "@pergola/sdk";
import { imageKind } from "./image-kind.ts";
import type { ImageService } from "./image-service.ts";

export interface FetchedImage {
  readonly bytes: Uint8Array;
  readonly ending: string;
  /** Where it came from; undefined for one that came with the answer. */
  readonly url: string | undefined;
}

const failed = (what: string): ToolError =>
  new ToolError("network_error", `The image service gave ${what}.`, {
    hint: "A retry may help; another model may, too.",
  });

function inlineBytes(address: string): Buffer {
  const comma = address.indexOf(",");
  if (comma < 0 || !address.slice(0, comma).toLowerCase().endsWith(";base64"))
    throw failed("an image in a form that cannot be read");
  return Buffer.from(address.slice(comma + 1), "base64");
}

async function webBytes(url: string, context: ToolContext, maxBytes: number): Promise<Uint8Array> {
  const response = await context.fetch(url, { maxBytes, timeoutSeconds: 120 });
  if (!response.ok) throw failed(`the address of an image that answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function load(
  address: string,
  service: ImageService,
  context: ToolContext,
  maxBytes: number,
): Promise<Omit<FetchedImage, "ending">> {
  if (/^data:/i.test(address)) return { bytes: inlineBytes(address), url: undefined };
  const place = service.locate(address);
  if (place === undefined || !/^https?:$/.test(place.url.protocol))
    throw failed("an address that is not one of the web");
  const url = place.url.href;
  if (place.isOwn) return { bytes: await service.download(place.url, maxBytes), url };
  return { bytes: await webBytes(url, context, maxBytes), url };
}

/**
 * Gets an image by the address that the service gave: from the address itself, from the service, or, like any
 * other page, from the web, where private addresses are refused and the service's key is not sent. Throws
 * ToolError, also when what comes is not an image.
 */
export async function fetchImage(
  address: string,
  service: ImageService,
  context: ToolContext,
  maxBytes: number,
): Promise<FetchedImage> {
  const image = await load(address, service, context, maxBytes);
  if (image.bytes.length > maxBytes) throw failed("an image that is too large");
  const ending = imageKind(image.bytes);
  if (ending === undefined) throw failed("something that is no image");
  return { ...image, ending };
}
