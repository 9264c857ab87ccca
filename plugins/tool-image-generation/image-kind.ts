type Mark = readonly [at: number, bytes: string];

const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex");

/**
 * The bytes that a file of a kind begins with, by its ending; SVG is no image here, for it can hold programs.
 */
const kinds: readonly (readonly [ending: string, ...Mark[]])[] = [
  ["png", [0, "89504e470d0a1a0a"]],
  ["jpg", [0, "ffd8ff"]],
  ["gif", [0, ascii("GIF87a")]],
  ["gif", [0, ascii("GIF89a")]],
  ["webp", [0, ascii("RIFF")], [8, ascii("WEBP")]],
  ["avif", [4, ascii("ftypavif")]],
];

/**
 * The file name's ending of an image, told by its first bytes, whatever it was said to be; undefined for what
 * is no image.
 */
export function imageKind(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return kinds.find(([, ...marks]) => marks.every(([at, mark]) => start.startsWith(mark, 2 * at)))?.[0];
}
