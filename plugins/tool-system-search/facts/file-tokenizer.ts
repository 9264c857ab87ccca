import { readSync } from "node:fs";
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from "strtok3";
import type { OpenFile } from "./facts.ts";

/** An open file as music-metadata reads it, from any place. */
export class FileTokenizer extends AbstractTokenizer {
  readonly fileInfo: { readonly path: string; readonly size: number };
  readonly #fd: number;

  constructor({ fd, name, size }: Pick<OpenFile, "fd" | "name" | "size">) {
    super();
    this.#fd = fd;
    this.fileInfo = { path: name, size };
  }

  override supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.position = position;
  }

  override async readBuffer(buffer: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const read = await this.peekBuffer(buffer, options);
    this.position = (options?.position ?? this.position) + read;
    return read;
  }

  override async peekBuffer(buffer: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(buffer, options);
    const read = length === 0 ? 0 : readSync(this.#fd, buffer, 0, length, position);
    if (read < length && mayBeLess !== true) throw new EndOfStreamError();
    return read;
  }
}
