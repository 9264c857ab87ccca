export interface ImageFacts {
  /** `PNG`, `JPEG`, `WebP` and so on. */
  readonly format: string;
  readonly mediaType: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

const formats: Readonly<Record<string, string>> = { jpg: "JPEG", webp: "WebP" };
const subtypes: Readonly<Record<string, string>> = { jpg: "jpeg", svg: "svg+xml", ico: "x-icon" };

/**
 * A copy without the fill bytes that may precede the markers of a JPEG (ITU-T T.81, B.1.1.2), which the
 * library does not expect; other images unchanged. In a buffer of its own: the library reads on behind the
 * end of a part of a larger one.
 */
function withoutFill(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return new Uint8Array(bytes);
  const segments = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 3 < bytes.length && bytes[at] === 0xff) {
    while (bytes[at + 1] === 0xff) at += 1;
    const end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    segments.push(bytes.subarray(at, end));
    at = end;
  }
  return new Uint8Array(Buffer.concat([...segments, bytes.subarray(at)]));
}

/**
 * What the header of an image says, from the beginning of its file; undefined when it is damaged, cut off or
 * of no known format. The image itself is not decoded.
 */
export async function imageFacts(bytes: Uint8Array): Promise<ImageFacts | undefined> {
  const { imageSize } = await import("image-size");
  try {
    const { width, height, type = "" } = imageSize(withoutFill(bytes));
    if (!(width > 0 && height > 0)) return undefined;
    const format = formats[type] ?? type.toUpperCase();
    return { format, mediaType: `image/${subtypes[type] ?? type}`, width, height };
  } catch {
    return undefined;
  }
}
