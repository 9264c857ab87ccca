import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header, type HeaderData } from "tar";

/** One entry of an archive. */
export interface Packed {
  readonly path: string;
  readonly type: HeaderData["type"];
  readonly linkpath?: string;
  readonly content: Buffer;
}

/** The entries of a compressed archive whose paths are short. */
export function entriesOf(file: string): readonly Packed[] {
  const bytes = gunzipSync(readFileSync(file));
  const entries: Packed[] = [];
  for (let at = 0; at < bytes.length;) {
    const header = new Header(bytes, at);
    const { path, type, size = 0 } = header;
    at += 512;
    if (path === undefined || header.nullBlock) continue;
    entries.push({ path, type, content: bytes.subarray(at, at + size) });
    at += Math.ceil(size / 512) * 512;
  }
  return entries;
}

function blockOf({ path, type, linkpath, content }: Packed): Buffer {
  const block = Buffer.alloc(512 + Math.ceil(content.length / 512) * 512);
  const size = content.length;
  const header = new Header({
    path,
    type,
    size,
    mode: 0o600,
    mtime: new Date(0),
    ...(linkpath && { linkpath }),
  });
  header.encode(block, 0);
  content.copy(block, 512);
  return block;
}

/** Writes entries as a compressed archive, whatever is in them. */
export function pack(file: string, entries: readonly Packed[]): void {
  writeFileSync(file, gzipSync(Buffer.concat([...entries.map(blockOf), Buffer.alloc(1024)])));
}
