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
 * What the header of an image says, from the beginning of its file; undefined when it is damaged, cut off or
 * of no known format. The image itself is not decoded.
 */
export async function imageFacts(bytes: Uint8Array): Promise<ImageFacts | undefined> {
  const { imageSize } = await import("image-size");
  try {
    // A copy in a buffer of its own: the library reads on behind the end of a part of a larger one.
    const { width, height, type = "" } = imageSize(new Uint8Array(bytes));
    if (!(width > 0 && height > 0)) return undefined;
    const format = formats[type] ?? type.toUpperCase();
    return { format, mediaType: `image/${subtypes[type] ?? type}`, width, height };
  } catch {
    return undefined;
  }
}
