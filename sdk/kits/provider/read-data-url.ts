export interface InlineData {
  /** The media type in lower case, such as `image/png`. */
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

const form = /^data:([^;,]*)((?:;[^;,]*)*),([^]*)$/i;

function mediaTypeOf(type: string): string {
  const lowerCase = type.toLowerCase();
  return lowerCase === "image/jpg" ? "image/jpeg" : lowerCase;
}

/**
 * The data of a URL of the form `data:<type>[;…][;base64],<data>` (RFC 2397). Undefined for other URLs, and
 * where the type or the data is missing.
 */
export function readDataUrl(url: string): InlineData | undefined {
  const [, type = "", parameters = "", data = ""] = form.exec(url) ?? [];
  if (type === "" || data === "") return undefined;
  const mediaType = mediaTypeOf(type);
  if (/;base64$/i.test(parameters)) return { type: mediaType, data: data.replaceAll(/\s/g, "") };
  try {
    const text = decodeURIComponent(data);
    return { type: mediaType, data: Buffer.from(text).toString("base64") };
  } catch {
    return undefined;
  }
}
