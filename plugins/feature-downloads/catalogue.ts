import { AppError } from "@pergola/sdk";
import type { FoundRepository, Parts, StreamFetch } from "@pergola/sdk/host";
import { chooseFiles, offeredIn, type SourceFile } from "./choose-files.ts";
import { invalid, isFilename, isRepoId, isSha256 } from "./names.ts";
import type { DownloadTarget, PlannedFile } from "./records.ts";
import { asSourceFault, faultOfStatus, sourceFault } from "./source-fault.ts";

/** The catalogue's answers, of which nothing is believed before it is checked. */
interface Repository {
  readonly sha?: unknown;
  readonly siblings?: unknown;
}

interface Sibling {
  readonly rfilename?: unknown;
  readonly size?: unknown;
  readonly lfs?: { readonly sha256?: unknown; readonly oid?: unknown; readonly size?: unknown } | null;
}

interface ListedRepository {
  readonly id?: unknown;
  readonly downloads?: unknown;
  readonly likes?: unknown;
  readonly lastModified?: unknown;
  readonly gated?: unknown;
}

/** A repository that was found, and what of it can be downloaded. */
export interface Offered extends Omit<FoundRepository, "files"> {
  readonly files: ReturnType<typeof offeredIn>;
}

const largestAnswer = 33_554_432;
/** Repositories that are read at the same time. */
const atOnce = 5;
function sizeOf(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return null;
  return value;
}
function dateOf(value: unknown): string | null {
  if (typeof value !== "string" || Number.isNaN(Date.parse(value))) return null;
  return value;
}

const numberOf = (value: unknown): number => sizeOf(value) ?? 0;
const badAnswer = (what: string): AppError => sourceFault(`The source's answer ${what}.`);

function sourceFileOf({ rfilename, size, lfs }: Sibling): SourceFile {
  if (typeof rfilename !== "string") throw badAnswer("holds a file without a name");
  const digest = lfs?.sha256 ?? lfs?.oid ?? null;
  if (digest !== null && (typeof digest !== "string" || !isSha256(digest)))
    throw badAnswer("holds a digest that is none");
  return { name: rfilename, size: sizeOf(lfs?.size ?? size), sha256: digest };
}

/**
 * The source of models, by the API of Hugging Face, through the host's door. Its token goes to its own origin
 * only.
 */
export class Catalogue {
  readonly #parts: Pick<Parts, "doors" | "preferences" | "dataDirectory">;

  constructor(parts: Pick<Parts, "doors" | "preferences" | "dataDirectory">) {
    this.#parts = parts;
  }

  get origin(): string {
    return new URL(this.#parts.preferences.get<string>("downloads.base_url")).origin;
  }

  /** What is to be sent along to an address. */
  headersFor(url: string): Readonly<Record<string, string>> {
    const token = this.#parts.preferences.get<string>("downloads.token");
    const isSource = new URL(url).origin === this.origin;
    return { "user-agent": "pergola", ...(token !== "" && isSource && { authorization: `Bearer ${token}` }) };
  }

  /** For the bytes of files. */
  stream(): StreamFetch {
    return this.#parts.doors.stream({ hosts: "any", configured: { folders: [], origins: [this.origin] } });
  }

  /**
   * The files that are needed, the one that stands for the model first. Rejects with `invalid_value` when the
   * source does not have them, and as all questions to the source with `provider_auth_failed`,
   * `provider_rate_limited` or `provider_error`.
   */
  async plan(target: DownloadTarget, signal: AbortSignal): Promise<readonly PlannedFile[]> {
    const { repoId, filename, revision, url } = target;
    if (url !== null) return [{ name: filename ?? "", size: null, sha256: null, url }];
    const { sha, files } = await this.#repository(repoId, revision, signal);
    const chosen = chooseFiles(files, filename);
    if (chosen.length === 0 && filename !== null)
      throw invalid("filename", `The repository has no file "${filename}".`);
    if (chosen.length === 0)
      throw invalid(
        "repoId",
        "The repository holds no model that could be run here; name a file to have it all the same.",
      );
    if (target.sha256 !== null && chosen.length > 1)
      throw invalid("sha256", "sha256 is for one file, and the model has several.");
    if (!chosen.every(({ name }) => isFilename(name))) throw badAnswer("names a file that cannot be stored");
    const commit = typeof sha === "string" && /^[0-9a-f]{40}$/.test(sha) ? sha : revision;
    const base = `${this.origin}/${repoId}/resolve/${encodeURIComponent(commit)}`;
    return chosen.map((file) => ({
      ...file,
      url: `${base}/${file.name.split("/").map(encodeURIComponent).join("/")}`,
    }));
  }

  /** Repositories and what is in them; of one that cannot be read nothing. */
  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly Offered[]> {
    const found = await this.#list(query, limit, signal);
    const offered: Offered[] = [];
    for (let from = 0; from < found.length; from += atOnce)
      offered.push(
        ...(await Promise.all(
          found.slice(from, from + atOnce).map(async (one) => ({
            ...one,
            files: await this.#repository(one.repoId, "main", signal).then(
              ({ files }) => offeredIn(files),
              () => [],
            ),
          })),
        )),
      );
    return offered;
  }

  async #list(query: string, limit: number, signal: AbortSignal): Promise<readonly Omit<Offered, "files">[]> {
    const words = new URLSearchParams({
      search: query,
      filter: "gguf",
      sort: "downloads",
      direction: "-1",
      limit: String(limit),
    });
    const found = await this.#ask(`/api/models?${words.toString()}`, "The list of models", signal);
    if (!Array.isArray(found)) throw badAnswer("is no list");
    return (found as readonly ListedRepository[])
      .filter(({ id }) => typeof id === "string" && isRepoId(id))
      .slice(0, limit)
      .map(({ id, downloads, likes, lastModified, gated }) => ({
        repoId: String(id),
        downloads: numberOf(downloads),
        likes: numberOf(likes),
        updatedAt: dateOf(lastModified),
        gated: gated !== undefined && gated !== false,
      }));
  }

  /**
   * One version with the sizes and digests of its files, and the commit that it stands at: so that all files
   * are of the same version.
   */
  async #repository(
    repoId: string,
    revision: string,
    signal: AbortSignal,
  ): Promise<{ readonly sha: unknown; readonly files: readonly SourceFile[] }> {
    const path = `/api/models/${repoId}/revision/${encodeURIComponent(revision)}?blobs=true`;
    try {
      const { sha, siblings } = (await this.#ask(path, "The repository", signal)) as Repository;
      if (!Array.isArray(siblings)) throw badAnswer("names no files");
      return { sha, files: (siblings as readonly Sibling[]).map(sourceFileOf) };
    } catch (error) {
      if (!AppError.is(error) || error.details?.["missing"] !== true) throw error;
      throw invalid("repoId", `The source has no repository "${repoId}" with the revision "${revision}".`);
    }
  }

  async #ask(path: string, what: string, signal: AbortSignal): Promise<unknown> {
    const reach = {
      workingDirectory: this.#parts.dataDirectory,
      paths: [],
      configured: { folders: [], origins: [this.origin] },
    };
    const fetch = this.#parts.doors.fetch({ ...reach, signal, hosts: "any" });
    const url = this.origin + path;
    const headers = { accept: "application/json", ...this.headersFor(url) };
    try {
      const answer = await fetch(url, { headers, maxBytes: largestAnswer, timeoutSeconds: 30 });
      if (!answer.ok)
        throw faultOfStatus(answer.status, what, answer.headers.get("retry-after") ?? undefined);
      const value: unknown = JSON.parse(await answer.text());
      if (typeof value !== "object" || value === null) throw badAnswer("is no catalogue");
      return value;
    } catch (error) {
      if (error instanceof SyntaxError) throw badAnswer("is not JSON");
      throw asSourceFault(error);
    }
  }
}
