const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** `{width, height}` of a PNG, in pixels. Throws if the bytes are not one. */
export function sizeOfPng(bytes) {
  if (!bytes.subarray(0, 8).equals(signature) || bytes.toString("latin1", 12, 16) !== "IHDR")
    throw new Error("The bytes are not a PNG.");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
