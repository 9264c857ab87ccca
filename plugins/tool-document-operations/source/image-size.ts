/** Width and height in pixels. */
export type Size = readonly [width: number, height: number];

type Measure = (view: DataView) => Size | undefined;

function jpeg(view: DataView): Size | undefined {
  let at = 2;
  while (at + 9 < view.byteLength) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webp(view: DataView): Size | undefined {
  const form = String.fromCharCode(view.getUint8(15));
  if (form === "X") return [1 + (view.getUint32(24, true) & 0xffffff), 1 + (view.getUint32(26, true) >>> 8)];
  if (form === " ") return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  const bits = view.getUint32(21, true);
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
}

/** Of the first picture in a TIFF file: its tags 256 and 257. */
function tiff(view: DataView): Size | undefined {
  const little = view.getUint8(0) === 0x49;
  const directory = view.getUint32(4, little);
  const found = new Map<number, number>();
  for (let index = 0; index < view.getUint16(directory, little); index += 1) {
    const entry = directory + 2 + index * 12;
    const isShort = view.getUint16(entry + 2, little) === 3;
    found.set(
      view.getUint16(entry, little),
      isShort ? view.getUint16(entry + 8, little) : view.getUint32(entry + 8, little),
    );
  }
  const [width, height] = [found.get(256), found.get(257)];
  return width === undefined || height === undefined ? undefined : [width, height];
}

const measures: Readonly<Record<string, Measure>> = {
  "\x89PNG": (view) => [view.getUint32(16), view.getUint32(20)],
  GIF8: (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  RIFF: webp,
  "II*\0": tiff,
  "MM\0*": tiff,
};

function measureOf(head: string): Measure | undefined {
  if (head.startsWith("BM"))
    return (view) => [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
  return head.startsWith("\xff\xd8") ? jpeg : measures[head];
}

/** Pixels of a PNG, JPEG, GIF, WebP, TIFF or BMP image, from its header; undefined when that is damaged. */
export function imageSize(bytes: Uint8Array): Size | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  try {
    return measureOf(head)?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    return undefined;
  }
}
