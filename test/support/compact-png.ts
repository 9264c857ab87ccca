import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Pixels of three bytes (red, green, blue), row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const signatureLength = 8;

/** The chunks of a PNG, each with its four-letter name. */
function* chunksOf(png: Buffer): Generator<readonly [name: string, data: Buffer]> {
  for (let at = signatureLength; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield [png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
    at += length + 12;
  }
}

/** The predictor of the PNG specification (section 9.4) that fits best: left, above or above left. */
function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

const predictors: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Reads what Chromium writes: eight bits for each of three colours, not interlaced. */
function decode(png: Buffer): Pixels {
  const chunks = [...chunksOf(png)];
  const [, header] = chunks[0]!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const form = header.subarray(8).toString("hex");
  if (form !== "0802000000") throw new Error(`A PNG of another form: ${form}`);
  const packed = inflateSync(
    Buffer.concat(chunks.filter(([name]) => name === "IDAT").map(([, data]) => data)),
  );
  const stride = width * 3;
  const bytes = Buffer.alloc(height * stride);
  for (let row = 0, at = 0; row < height; row += 1) {
    const predict = predictors[packed[row * (stride + 1)]!]!;
    for (let column = 0; column < stride; column += 1, at += 1) {
      const left = column < 3 ? 0 : bytes[at - 3]!;
      const above = row === 0 ? 0 : bytes[at - stride]!;
      const corner = column < 3 || row === 0 ? 0 : bytes[at - stride - 3]!;
      bytes[at] = packed[at + row + 1]! + predict(left, above, corner);
    }
  }
  return { width, height, bytes };
}

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);

/** The 256 commonest colours, and for each colour of the pixels the number of the nearest of these. */
function paletteOf(colours: readonly number[]) {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts.keys()]
    .sort((one, other) => counts.get(other)! - counts.get(one)!)
    .slice(0, 256);
  const nearest = (colour: number): number => {
    const distances = palette.map((other) => distance(colour, other));
    return distances.indexOf(Math.min(...distances));
  };
  return { palette, numbers: new Map([...counts.keys()].map((colour) => [colour, nearest(colour)])) };
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The same picture in a third of the bytes: a screenshot of a page has few colours, and here at most 256. */
export function compactPng(png: Buffer): Buffer {
  const { width, height, bytes } = decode(png);
  const colours = Array.from({ length: width * height }, (_, index) => bytes.readUIntBE(index * 3, 3));
  const { palette, numbers } = paletteOf(colours);
  const rows = Buffer.alloc(height * (width + 1));
  colours.forEach((colour, index) => {
    rows[index + Math.floor(index / width) + 1] = numbers.get(colour)!;
  });
  const entries = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => entries.writeUIntBE(colour, index * 3, 3));
  const header = Buffer.from("00000000000000000803000000", "hex");
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    png.subarray(0, signatureLength),
    chunk("IHDR", header),
    chunk("PLTE", entries),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
