import type { ProviderResponse } from "@pergola/sdk";
import type { StreamFetch } from "@pergola/sdk/host";
import type { PartFile } from "./part-file.ts";
import type { StoredFile } from "./records.ts";
import { asSourceFault, faultOfStatus, sourceFault } from "./source-fault.ts";

export interface FetchSource {
  readonly stream: StreamFetch;
  headersFor(url: string): Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Seconds to the first byte, and between bytes. */
  readonly patience: number;
}

/** What the source says of the version that it sends. */
export interface Version {
  readonly validator: string | null;
  readonly size: number | null;
}

/** Hears what comes. */
interface Listener {
  /** Before any byte of that version is written. */
  version(version: Version): Promise<void>;
  bytes(count: number): void;
}

interface Opened {
  readonly answer: ProviderResponse;
  /** Ends the connection. */
  readonly leave: () => void;
}

/** Only a strong tag promises the same bytes (RFC 9110, 8.8.1); a date is the next best (13.1.5). */
function validatorOf(answer: ProviderResponse): string | null {
  const tag = answer.header("etag");
  if (tag !== undefined && /^"[^"]*"$/.test(tag)) return tag;
  return answer.header("last-modified") ?? null;
}

function rangeOf({ validator }: StoredFile, from: number): Readonly<Record<string, string>> {
  if (from === 0) return {};
  return { range: `bytes=${from}-`, ...(validator !== null && { "if-range": validator }) };
}

async function ask(file: StoredFile, source: FetchSource, from: number): Promise<Opened> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([source.signal, leaving.signal]);
  const headers = { "accept-encoding": "identity", ...source.headersFor(file.url), ...rangeOf(file, from) };
  const limits = { timeoutSeconds: source.patience, idleTimeoutSeconds: source.patience };
  const answer = await source.stream(file.url, { headers, signal, ...limits });
  return { answer, leave: () => leaving.abort() };
}

const contentRange = /^bytes (\d+)-\d+\/(\d+|\*)$/;

/** Whether a partial answer continues exactly where the part ends, in the same version. */
function continues(answer: ProviderResponse, { size, validator }: StoredFile, from: number): boolean {
  const [, start, total = "*"] = contentRange.exec(answer.header("content-range") ?? "") ?? [];
  if (answer.status !== 206 || Number(start) !== from) return false;
  const version = validatorOf(answer);
  const isSame = validator === null || version === null || version === validator;
  return isSame && (size === null || total === "*" || Number(total) === size);
}

/** Throws for an answer that is not the whole file. */
function checkWhole({ answer, leave }: Opened): void {
  if (answer.status === 200) return;
  leave();
  throw faultOfStatus(answer.status, "The file", answer.header("retry-after"));
}

/** The rest of the file where the source gives it, else all of it; the part is emptied then. */
async function open(file: StoredFile, part: PartFile, source: FetchSource): Promise<Opened> {
  const canResume = part.size > 0 && (file.validator !== null || file.sha256 !== null);
  if (canResume) {
    const opened = await ask(file, source, part.size);
    if (continues(opened.answer, file, part.size)) return opened;
    const { status } = opened.answer;
    if (status !== 206 && status !== 416) {
      checkWhole(opened);
      await part.reset();
      return opened;
    }
    opened.leave();
  }
  await part.reset();
  const opened = await ask(file, source, 0);
  checkWhole(opened);
  return opened;
}

/** The size of the whole file, as far as it is known. A source that promises another one is not believed. */
function sizeOf(answer: ProviderResponse, { size }: StoredFile): number | null {
  const encoding = answer.header("content-encoding") ?? "identity";
  if (encoding !== "identity")
    throw sourceFault(`The source packs the file (${encoding}), which was not asked for.`);
  let promised = answer.header("content-length");
  if (answer.status !== 200) promised = answer.header("content-range")?.replace(/.*\//, "");
  if (promised === undefined || promised === "*") return size;
  if (size !== null && Number(promised) !== size)
    throw sourceFault(`The source sends ${promised} bytes, and its catalogue says ${size}.`);
  return Number(promised);
}

/**
 * Brings what is missing of a file into its part; resolves with whether bytes from before were kept. Rejects
 * with AppError, whose `details.retryable` tells whether another try makes sense, or with a failure of the
 * disk.
 */
export async function fetchFile(
  file: StoredFile,
  part: PartFile,
  source: FetchSource,
  listener: Listener,
): Promise<boolean> {
  let opened: Opened | undefined;
  try {
    opened = await open(file, part, source);
    const { answer } = opened;
    const resumed = part.size > 0;
    const size = sizeOf(answer, file);
    await listener.version({ validator: validatorOf(answer) ?? (resumed ? file.validator : null), size });
    for await (const piece of answer.body) {
      if (size !== null && part.size + piece.length > size)
        throw sourceFault("The source sends more than it said.");
      await part.append(piece);
      listener.bytes(piece.length);
    }
    if (size !== null && part.size < size) throw sourceFault("The source broke off.", { retryable: true });
    return resumed;
  } catch (error) {
    throw asSourceFault(error);
  } finally {
    opened?.leave();
  }
}
