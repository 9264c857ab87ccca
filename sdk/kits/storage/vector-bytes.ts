/** The floats of a blob; copied when they do not begin where floats may begin in memory. */
export function floatsOf(blob: Buffer): Float32Array {
  let bytes: Uint8Array = blob;
  if (blob.byteOffset % 4 !== 0) bytes = Uint8Array.from(blob);
  return new Float32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength / 4);
}

/** A vector or a code as a blob, not copied. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
