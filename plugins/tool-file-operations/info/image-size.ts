export interface ImageSize {
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

type Reader = (view: DataView) => readonly [width: number, height: number] | undefined;

const startsWith =
  (offset: number, ...signature: readonly number[]) =>
  (view: DataView): boolean =>
    view.byteLength >= offset + signature.length &&
    signature.every((byte, index) => view.getUint8(offset + index) === byte);

/** The frame header of a JPEG stands behind any number of other segments, each of which tells its length. */
function jpegSize(view: DataView): readonly [number, number] | undefined {
  for (let at = 2; at + 9 <= view.byteLength;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (view.getUint8(at) !== 0xff) return undefined;
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

const threeBytes = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** The first chunk of a WebP file: `VP8 ` lossy, `VP8L` lossless, `VP8X` extended. */
function webpSize(view: DataView): readonly [number, number] | undefined {
  const chunk = String.fromCharCode(
    view.getUint8(12),
    view.getUint8(13),
    view.getUint8(14),
    view.getUint8(15),
  );
  if (chunk === "VP8X") return [threeBytes(view, 24) + 1, threeBytes(view, 27) + 1];
  if (chunk === "VP8 ") return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  const bits = view.getUint32(21, true);
  return chunk === "VP8L" ? [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1] : undefined;
}

const formats: readonly (readonly [format: string, is: (view: DataView) => boolean, read: Reader])[] = [
  [
    "PNG",
    startsWith(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    (view) => [view.getUint32(16), view.getUint32(20)],
  ],
  [
    "GIF",
    startsWith(0, 0x47, 0x49, 0x46, 0x38),
    (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  ],
  ["JPEG", startsWith(0, 0xff, 0xd8, 0xff), jpegSize],
  ["WebP", startsWith(8, 0x57, 0x45, 0x42, 0x50), webpSize],
  ["BMP", startsWith(0, 0x42, 0x4d), (view) => [view.getInt32(18, true), Math.abs(view.getInt32(22, true))]],
  ["ICO", startsWith(0, 0, 0, 1, 0), (view) => [view.getUint8(6) || 256, view.getUint8(7) || 256]],
];

/**
 * Width and height in pixels from the beginning of an image file; nothing when it is no known image or is cut
 * off.
 */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [format, , read] = formats.find(([, is]) => is(view)) ?? [];
  if (format === undefined || read === undefined) return undefined;
  try {
    const [width, height] = read(view) ?? [0, 0];
    return width > 0 && height > 0 ? { format, width, height } : undefined;
  } catch {
    return undefined;
  }
}
