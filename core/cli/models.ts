import { AppError } from "@pergola/sdk";
import type { DownloadStatus, FoundRepository } from "@pergola/sdk/host";
import { exitCodes } from "./exit-codes.ts";
import { ProgressBar, progressText, readableBytes } from "./progress-bar.ts";
import { readEvents } from "./read-events.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly models: readonly { readonly id: string; readonly sizeBytes: number }[];
}

interface Downloads {
  readonly downloads: readonly DownloadStatus[];
}

interface Found {
  readonly models: readonly FoundRepository[];
}

export interface DownloadOptions extends CommonOptions {
  readonly revision?: string;
  readonly sha256?: string;
  readonly keepPartial?: boolean;
}

export interface SearchOptions extends CommonOptions {
  readonly limit?: number;
}

const root = "/api/models/download";
const write = (lines: readonly string[]): unknown =>
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));

/** All models; those installed with their sizes, and what is on its way or was cut. */
export async function listModels(options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const { data, models } = await jsonOf<Listed>(await service.call("GET", "/api/models"));
    const downloads = (await unfinished(service)).filter(({ status }) => status !== "completed");
    if (options.json === true) return (write([JSON.stringify({ data, models, downloads })]), exitCodes.ok);
    const sizes = new Map(
      models.map(({ id, sizeBytes }) => [id, ` ${styled("dim", readableBytes(sizeBytes))}`]),
    );
    write(data.map(({ id }) => visible(id) + (sizes.get(id) ?? "")));
    write(
      downloads.map(
        (one) => `${visible(nameOf(one))} ${styled("dim", `(${one.status}: ${progressText(one)})`)}`,
      ),
    );
    return exitCodes.ok;
  });
}

/** None where nothing downloads models. */
async function unfinished(service: Service): Promise<readonly DownloadStatus[]> {
  const answer = await service.call("GET", root);
  return answer.status === 404 ? [] : (await jsonOf<Downloads>(answer)).downloads;
}

export async function searchModels(
  words: readonly string[],
  { limit = 20, ...options }: SearchOptions,
): Promise<number> {
  return withService(options, async (service) => {
    const query = new URLSearchParams({ q: words.join(" "), limit: String(limit) });
    const { models } = await jsonOf<Found>(await service.call("GET", `${root}/search?${query.toString()}`));
    if (options.json === true) return (write([JSON.stringify({ models })]), exitCodes.ok);
    const factsOf = ({ downloads, likes, gated }: FoundRepository): string =>
      `${downloads} downloads, ${likes} likes${gated ? ", needs a token with access" : ""}`;
    write(models.map((model) => `${visible(model.repoId)} ${styled("dim", factsOf(model))}`));
    if (models.length === 0) process.stderr.write("Nothing was found.\n");
    return exitCodes.ok;
  });
}

/**
 * Ctrl-C stops it and keeps what has come: the same command goes on from there. The model's id goes to stdout
 * once it is there.
 */
export async function downloadModel(
  source: string,
  file: string | undefined,
  options: DownloadOptions,
): Promise<number> {
  const { revision, sha256, keepPartial, json = false } = options;
  const target = source.includes("://") ? { modelUrl: source } : { repoId: source, filename: file };
  return withService(options, async (service) => {
    const { downloadId } = await jsonOf<DownloadStatus>(
      await service.call("POST", root, { ...target, revision, sha256, keepPartial }),
    );
    const { last, stopped } = await watch(service, downloadId, json);
    if (last?.status === "completed") {
      if (!json) write([visible(last.modelId ?? `${last.repoId}/${last.filename}`)]);
      return exitCodes.ok;
    }
    const said = stopped
      ? "Stopped. What has come is kept: the same command goes on."
      : `${last?.error ?? "The service is gone."}`;
    process.stderr.write(`${visible(said)}\n`);
    return stopped || last?.status === "cancelled" ? exitCodes.interrupted : exitCodes.failed;
  });
}

interface Watched {
  readonly last: DownloadStatus | undefined;
  readonly stopped: boolean;
}

/** Shows a download to its end. Ctrl-C cancels it; a second one leaves at once. */
async function watch(service: Service, downloadId: string, json: boolean): Promise<Watched> {
  const bar = new ProgressBar();
  let [last, stopped]: [DownloadStatus | undefined, boolean] = [undefined, false];
  const stop = (): void => {
    if (stopped) process.exit(exitCodes.interrupted);
    stopped = true;
    void service
      .call("DELETE", `${root}/${downloadId}?keepPartial=true`)
      .catch(() => process.exit(exitCodes.interrupted));
  };
  process.on("SIGINT", stop);
  try {
    const answer = await service.call("GET", `${root}/${downloadId}/events`);
    if (!answer.ok) await jsonOf(answer);
    for await (const status of readEvents<DownloadStatus>(answer)) {
      last = status;
      if (json) write([JSON.stringify(status)]);
      else bar.show(status);
    }
  } catch (error) {
    if (AppError.is(error)) throw error;
  } finally {
    process.removeListener("SIGINT", stop);
    if (!json) bar.end();
  }
  return { last, stopped: stopped && last?.status !== "completed" };
}

export async function removeModel(id: string, options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const path = id.split("/").map(encodeURIComponent).join("/");
    const answer = await service.call("DELETE", `/api/models/${path}`);
    const begun = answer.status === 404 ? await begunOf(service, id) : undefined;
    const removed =
      begun === undefined ? await jsonOf<{ readonly id: string }>(answer) : await abandon(service, begun);
    if (options.json === true) write([JSON.stringify(removed)]);
    else process.stderr.write(`Removed ${visible(removed.id)}.\n`);
    return exitCodes.ok;
  });
}

const nameOf = ({ repoId, filename }: DownloadStatus): string => `${repoId}/${filename}`;

/** The download that is not done and goes by this name in the list. */
async function begunOf(service: Service, name: string): Promise<DownloadStatus | undefined> {
  return (await unfinished(service)).find(
    (one) => one.status !== "completed" && [nameOf(one), one.downloadId].includes(name),
  );
}

/** Nothing of it is on the disk then. */
async function abandon(service: Service, download: DownloadStatus): Promise<{ readonly id: string }> {
  const isStopped = download.status === "failed" || download.status === "cancelled";
  await jsonOf(await service.call("DELETE", `${root}/${download.downloadId}${isStopped ? "/partial" : ""}`));
  return { id: nameOf(download) };
}
