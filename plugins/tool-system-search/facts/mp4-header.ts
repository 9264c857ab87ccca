import { readSync } from "node:fs";
import type { OpenFile } from "./facts.ts";

const mostBoxes = 1000;
const containers = new Set(["moov", "trak"]);

interface Mp4Header {
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
    const type = header.toString("latin1", 4, 8);
    const { start, length } = boxExtent(header, file.size - at);
    if (length < 8) return found;
    const content = at + start;
    if (type === "mvhd") found = { ...durationIn(bytesAt(file, content, 32)), ...found };
    if (type === "tkhd") found = { ...sizeIn(bytesAt(file, at + length - 8, 8)), ...found };
    if (containers.has(type)) at = content;
    else at += length;
  }
  return found;
}

/** Where a box's content starts, and how long the box is: to the end of the file when it says 0. */
function boxExtent(header: Buffer, rest: number): { readonly start: number; readonly length: number } {
  const length = header.readUInt32BE(0);
  if (length === 1) return { start: 16, length: Number(header.readBigUInt64BE(8)) };
  return { start: 8, length: length || rest };
}

/** Version 1 has times of eight bytes. */
function durationIn(box: Buffer): Mp4Header {
  if (box[0] === 1) return durationOf(box.readUInt32BE(20), Number(box.readBigUInt64BE(24)));
  return durationOf(box.readUInt32BE(12), box.readUInt32BE(16));
}

function durationOf(scale: number, ticks: number): Mp4Header {
  if (scale === 0 || ticks === 0) return {};
  return { duration: ticks / scale };
}

/** Both are 16.16 fixed-point numbers at the end of the box. */
function sizeIn(end: Buffer): Mp4Header {
  const [width, height] = [end.readUInt16BE(0), end.readUInt16BE(4)];
  if (width === 0 || height === 0) return {};
  return { width, height };
}

function bytesAt({ fd }: Pick<OpenFile, "fd">, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  readSync(fd, buffer, 0, length, position);
  return buffer;
}
