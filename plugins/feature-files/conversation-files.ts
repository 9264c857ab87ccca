import { rm } from "node:fs/promises";
import path from "node:path";
import { AppError, newId, type Caller, type FileInfo } from "@pergola/sdk";
import type {
  FileService,
  FolderEntry,
  FolderPage,
  Parts,
  ReceivedFile,
  SentFile,
  StagedContent,
  WrittenFile,
} from "@pergola/sdk/host";
import { mimeTypeOf } from "./mime-type.ts";
import { failureOf, findPlace, invalidPath, notFound, type Place } from "./place.ts";
import { stageUpload } from "./staged-upload.ts";
import { UploadTotals } from "./upload-totals.ts";

const pieceBytes = 262_144;
const operation = "upload_file";

/** The files of conversations, through the doors that tools have. */
export class ConversationFiles implements FileService {
  readonly #parts: Parts;
  readonly #totals: UploadTotals;
  #unwatch: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#totals = new UploadTotals(parts);
  }

  /** What the last service was cut in is not needed any more. */
  async recover(): Promise<void> {
    await rm(this.#uploads, { recursive: true, force: true });
    this.#unwatch = this.#totals.watch();
  }

  stop(): void {
    this.#unwatch();
  }

  async list(
    conversationId: string,
    { path: file, limit = 200, offset = 0 }: Parameters<FileService["list"]>[1],
    caller: Caller,
  ): Promise<FolderPage> {
    const place = await findPlace(this.#parts, { conversationId, path: file, effect: "read", caller });
    const infos = await this.#infosIn(place);
    const items = infos.slice(offset, offset + limit).map((info) => entryOf(info, place));
    const { workingDirectory } = place;
    return { workingDirectory, path: place.path, items, count: infos.length };
  }

  /** A working directory that nothing has made yet is empty. */
  async #infosIn({ files, real, path: file }: Place): Promise<readonly FileInfo[]> {
    try {
      if (file === "" && (await files.stat(real)) === undefined) return [];
      return await files.list(real);
    } catch (error) {
      throw failureOf(error, file);
    }
  }

  async read(conversationId: string, file: string, caller: Caller): Promise<SentFile> {
    const place = await findPlace(this.#parts, { conversationId, path: file, effect: "read", caller });
    const info = await place.files.stat(place.real);
    if (info === undefined) throw notFound(file);
    if (info.kind !== "file") throw invalidPath(`"${file}" is no file.`);
    const { name, size } = info;
    return { name, size, mimeType: mimeTypeOf(name), pieces: piecesOf(place, size) };
  }

  async write(
    conversationId: string,
    file: string,
    { pieces, announced = 0, overwrite }: ReceivedFile,
    caller: Caller,
  ): Promise<WrittenFile> {
    const place = await findPlace(this.#parts, { conversationId, path: file, effect: "write", caller });
    await checkFree(place, overwrite);
    return this.#totals.during(place.conversationId, announced, (count) =>
      stageUpload(this.#uploads, pieces, count, (staged) => this.#put(place, staged, overwrite, caller)),
    );
  }

  get #uploads(): string {
    return path.join(this.#parts.dataDirectory, "uploads");
  }

  /** Puts it in place as a change that can be taken back. */
  async #put(
    { conversationId, workingDirectory, real, path: file, files }: Place,
    staged: StagedContent,
    overwrite: boolean,
    caller: Caller,
  ): Promise<WrittenFile> {
    const callId = newId.toolCall();
    const recorder = this.#parts.changes?.recorder({
      callId,
      tool: "files",
      operation,
      effect: "write",
      conversationId,
      personsConversationId: conversationId,
      lineage: [],
      workingDirectory,
      paths: [real],
      programs: "none",
    });
    const recorded = recorder?.files(files) ?? files;
    try {
      await recorder?.begin();
      await recorded.restore([{ path: real, content: staged, mode: 0o644, create: !overwrite }]);
    } catch (error) {
      throw failureOf(error, file);
    } finally {
      await recorder?.end();
    }
    this.#parts.access?.note({ action: "file.upload", target: real, outcome: "done", caller });
    const { size, sha256 } = staged;
    return { path: file, size, sha256, mimeType: mimeTypeOf(file), callId };
  }
}

async function checkFree({ files, real, path: file }: Place, overwrite: boolean): Promise<void> {
  const found = await files.stat(real);
  if (found === undefined) return;
  if (found.kind !== "file") throw invalidPath(`"${file}" is no file.`);
  if (overwrite) return;
  const message = `"${file}" is there already. Send overwrite=true to replace it.`;
  throw new AppError({ code: "id_taken", message, param: "path" });
}

function entryOf({ name, kind, size, modified }: FileInfo, { path: folder }: Place): FolderEntry {
  return {
    name,
    path: path.join(folder, name),
    kind,
    size,
    modified: new Date(modified).toISOString(),
    mimeType: kind === "file" ? mimeTypeOf(name) : null,
  };
}

/** Throws once the file has become shorter: what was announced cannot be sent then. */
async function* piecesOf({ files, real, path: file }: Place, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size;) {
    const piece = await files.read(real, { start, end: Math.min(size, start + pieceBytes) });
    if (piece.length === 0) throw notFound(file);
    start += piece.length;
    yield piece;
  }
}
