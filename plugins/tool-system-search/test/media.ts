const bytes = (...parts: readonly (string | number | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map(bytesOf));

function bytesOf(part: string | number | Uint8Array): Uint8Array {
  if (typeof part === "number") return be32(part);
  return typeof part === "string" ? Buffer.from(part, "latin1") : part;
}

function be32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

const be16 = (value: number): Buffer => be32(value).subarray(2);
const le32 = (value: number): Buffer => Buffer.from(be32(value)).reverse();
const le16 = (value: number): Buffer => Buffer.from(be16(value)).reverse();

/** The header of a PNG (ISO 15948): enough to know its size. */
export const png = (width: number, height: number): Buffer =>
  bytes(
    "\x89PNG\r\n\x1a\n",
    13,
    "IHDR",
    width,
    height,
    Buffer.from([8, 2, 0, 0, 0]),
    0,
    0,
    "IEND",
    0xae426082,
  );

/** A JPEG with EXIF 2.3 (camera and date) and a frame header. */
export function jpeg({
  width,
  height,
  make,
  model,
  taken,
}: Readonly<Record<"make" | "model" | "taken", string>> & { width: number; height: number }): Buffer {
  const texts = [make, model, taken].map((text) => Buffer.from(`${text}\0`, "latin1"));
  const first = 68;
  const at = [first, first + texts[0]!.length, first + texts[0]!.length + texts[1]!.length];
  const ascii = (tag: number, index: number): Buffer =>
    bytes(be16(tag), be16(2), texts[index]!.length, at[index]!);
  const tiff = bytes(
    "MM\0*",
    8,
    be16(3),
    ascii(0x010f, 0),
    ascii(0x0110, 1),
    be16(0x8769),
    be16(4),
    1,
    50,
    0,
    exifFolder(ascii(0x9003, 2)),
    ...texts,
  );
  const exif = bytes("Exif\0\0", tiff);
  const frame = bytes(
    be16(0xffc0),
    be16(11),
    Buffer.from([8]),
    be16(height),
    be16(width),
    Buffer.from([1, 1, 0x11, 0]),
  );
  return bytes(be16(0xffd8), be16(0xffe1), be16(exif.length + 2), exif, frame, be16(0xffd9));
}

/** A directory with one entry, without a next one. */
const exifFolder = (entry: Buffer): Buffer => bytes(be16(1), entry, 0);

/** An ID3v2.3 tag and nothing to hear. */
export function mp3(tags: Readonly<Record<string, string>>): Buffer {
  const frames = bytes(
    ...Object.entries(tags).map(([id, text]) => bytes(id, text.length + 1, be16(0), Buffer.from([0]), text)),
  );
  const length = Buffer.from([21, 14, 7, 0].map((shift) => (frames.length >> shift) & 127));
  const silence = Buffer.alloc(417);
  silence.set([0xff, 0xfb, 0x90, 0x00]);
  return bytes("ID3", Buffer.from([3, 0, 0]), length, frames, silence, silence, silence);
}

/** Uncompressed silence (RIFF). */
export const wav = (seconds: number): Buffer =>
  bytes(
    "RIFF",
    le32(36 + 8000 * seconds),
    "WAVEfmt ",
    le32(16),
    le16(1),
    le16(1),
    le32(8000),
    le32(8000),
    le16(1),
    le16(8),
    "data",
    le32(8000 * seconds),
    Buffer.alloc(8000 * seconds),
  );

/** A FLAC header (RFC 9639) with Vorbis comments. */
export function flac(comments: readonly string[], seconds: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4096, 0);
  info.writeUInt16BE(4096, 2);
  // 20 bits sample rate, 3 bits channels - 1, 5 bits sample size - 1, 36 bits samples.
  info.writeBigUInt64BE((44_100n << 44n) | (1n << 41n) | (15n << 36n) | BigInt(44_100 * seconds), 10);
  const text = (value: string): Buffer => bytes(le32(Buffer.byteLength(value)), Buffer.from(value));
  const vorbis = bytes(text("pergola"), le32(comments.length), ...comments.map(text));
  return bytes("fLaC", 34, info, 0x84000000 + vorbis.length, vorbis);
}

const box = (type: string, ...inside: readonly Uint8Array[]): Buffer => {
  const content = bytes(...inside);
  return bytes(content.length + 8, type, content);
};

/** An MP4 (ISO 14496-12) with one picture track and no picture. */
export function mp4(width: number, height: number, seconds: number): Buffer {
  const matrix = bytes(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const mvhd = box(
    "mvhd",
    bytes(0, 0, 0, 1000, seconds * 1000, 0x10000, be16(0x100), Buffer.alloc(10), matrix, Buffer.alloc(24), 2),
  );
  const tkhd = box(
    "tkhd",
    bytes(7, 0, 0, 1, 0, seconds * 1000, Buffer.alloc(16), matrix, width << 16, height << 16),
  );
  return bytes(
    box("ftyp", bytes("isom", 0x200, "isommp41")),
    box("moov", mvhd, box("trak", tkhd)),
    box("mdat", Buffer.alloc(16)),
  );
}
