/** How a file of each kind begins, by its ending. SVG is not an image here, because it can hold programs. */
const beginnings: Readonly<Record<string, RegExp>> = {
  // eslint-disable-next-line no-control-regex
  png: /^\x89PNG\r\n\x1a\n/,
  jpg: /^\xff\xd8\xff/,
  gif: /^GIF8[79]a/,
  webp: /^RIFF[^]{4}WEBP/,
  avif: /^[^]{4}ftypavif/,
};

/**
 * The file name's ending of an image, found by its first bytes, whatever the service calls it; undefined for
 * anything else.
 */
export function imageKind(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return Object.keys(beginnings).find((ending) => beginnings[ending]?.test(start));
}
