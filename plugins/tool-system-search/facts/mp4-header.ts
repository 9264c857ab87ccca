import { readSync } from "node:fs";
import type { OpenFile } from "./facts.ts";

const mostBoxes = 1000;
const containers = new Set(["moov", "trak"]);

export interface Mp4Header {
  /** Seconds. */
  readonly duration?: number;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Duration from the movie header, size from the first track header that has one (`mvhd`, `tkhd`: ISO
 * 14496-12, 8.2.2 and 8.3.2).
 */
export function mp4Header(file: Pick<OpenFile, "fd" | "size">): Mp4Header {
  let found: Mp4Header = {};
  let at = 0;
  for (let box = 0; box < mostBoxes && at + 8 <= file.size; box += 1) {
    const header = bytesAt(file, at, 16);
    const [short, type] = [header.readUInt32BE(0), header.toString("latin1", 4, 8)];
    const isLong = short === 1;
    const length = isLong ? Number(header.readBigUInt64BE(8)) : short || file.size - at;
    if (length < 8) return found;
    const content = at + (isLong ? 16 : 8);
    if (type === "mvhd") found = { ...durationIn(bytesAt(file, content, 32)), ...found };
    if (type === "tkhd") found = { ...sizeIn(bytesAt(file, at + length - 8, 8)), ...found };
    at = containers.has(type) ? content : at + length;
  }
  return found;
}

/** Version 1 has times of eight bytes. */
function durationIn(box: Buffer): Mp4Header {
  const [scale, ticks] =
    box[0] === 1
      ? [box.readUInt32BE(20), Number(box.readBigUInt64BE(24))]
      : [box.readUInt32BE(12), box.readUInt32BE(16)];
  return scale > 0 && ticks > 0 ? { duration: ticks / scale } : {};
}

/** Both are 16.16 fixed-point numbers at the end of the box. */
function sizeIn(end: Buffer): Mp4Header {
  const [width, height] = [end.readUInt16BE(0), end.readUInt16BE(4)];
  return width > 0 && height > 0 ? { width, height } : {};
}

function bytesAt({ fd }: Pick<OpenFile, "fd">, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  readSync(fd, buffer, 0, length, position);
  return buffer;
}
