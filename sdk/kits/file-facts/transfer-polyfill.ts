/** The PDF reader hands buffers on by `transferToFixedLength`, which Node has since 21. */
const buffers = ArrayBuffer.prototype as {
  transferToFixedLength?: (this: ArrayBuffer, length?: number) => ArrayBuffer;
};

buffers.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength) {
  const moved = structuredClone(this, { transfer: [this] });
  if (length <= moved.byteLength) return moved.slice(0, length);
  const grown = new ArrayBuffer(length);
  new Uint8Array(grown).set(new Uint8Array(moved));
  return grown;
};
