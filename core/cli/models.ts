import { AppError } from "@pergola/sdk";
import type { DownloadStatus, FoundRepository } from "@pergola/sdk/host";
import { exitCodes } from "./exit-codes.ts";
import { printJson, printLines, printNote, printResult } from "./print-result.ts";
import { ProgressBar, progressText, readableBytes } from "./progress-bar.ts";
import { readEvents } from "./read-events.ts";
import { jsonOf, type CommonOptions, type Service } from "./service.ts";
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

interface Removed {
  readonly id: string;
}

interface DownloadOptions extends CommonOptions {
  readonly revision?: string;
  readonly sha256?: string;
  readonly keepPartial?: boolean;
}

interface SearchOptions extends CommonOptions {
  readonly limit?: number;
}

const root = "/api/models/download";
const nameOf = ({ repoId, filename }: DownloadStatus): string => `${repoId}/${filename}`;
const lineOf = (name: string, facts: string): string =>
  `${visible(name)} ${facts && styled("dim", facts)}`.trimEnd();

/** Lists all models, those installed with their sizes, and unfinished downloads. */
export async function listModels(service: Service, options: CommonOptions): Promise<void> {
  const { data, models } = await service.get<Listed>("/api/models");
  const { data: embedding } = await service.get<Listed>("/api/models?category=embedding");
  const downloads = await unfinished(service);
  const usual = await usualModel(service);
  const sizes = new Map(models.map(({ id, sizeBytes }) => [id, sizeBytes]));
  const line = (id: string, kind?: string): string => {
    const size = sizes.get(id);
    const facts = [id === usual && "the default", kind, size !== undefined && readableBytes(size)];
    return lineOf(id, facts.filter(Boolean).join(", "));
  };
  const modelLines = [
    ...data.map(({ id }) => line(id)),
    ...embedding.map(({ id }) => line(id, "for embeddings")),
  ];
  const downloadLines = downloads.map((one) => lineOf(nameOf(one), `(${one.status}: ${progressText(one)})`));
  printResult(options, { data, models, downloads }, [...modelLines, ...downloadLines]);
}

/** The id of the model that answers where none is named. */
export async function usualModel(service: Service): Promise<string> {
  const answer = await service.call("GET", "/api/preferences");
  if (!answer.ok) return "default";
  return (await jsonOf<{ readonly defaultModel: string }>(answer)).defaultModel;
}

/** The downloads that are not complete; none where nothing downloads models. */
async function unfinished(service: Service): Promise<readonly DownloadStatus[]> {
  const answer = await service.call("GET", root);
  if (answer.status === 404) return [];
  const { downloads } = await jsonOf<Downloads>(answer);
  return downloads.filter(({ status }) => status !== "completed");
}

export async function searchModels(
  service: Service,
  words: readonly string[],
  { limit = 20, ...options }: SearchOptions,
): Promise<void> {
  const query = new URLSearchParams({ q: words.join(" "), limit: String(limit) });
  const { models } = await service.get<Found>(`${root}/search?${query.toString()}`);
  const lines = models.map(({ repoId, downloads, likes, gated }) => {
    const facts = [`${downloads} downloads`, `${likes} likes`];
    if (gated) facts.push("needs a token with access");
    return lineOf(repoId, facts.join(", "));
  });
  printResult(options, { models }, lines);
  if (models.length === 0 && !options.json) printNote("Nothing was found.");
}

/**
 * Downloads a model and prints its id. Ctrl-C stops the download and keeps what has come: the same command
 * goes on from there.
 */
export async function downloadModel(
  service: Service,
  source: string,
  file: string | undefined,
  options: DownloadOptions,
): Promise<number> {
  const { revision, sha256, keepPartial, json = false } = options;
  const target = source.includes("://") ? { modelUrl: source } : { repoId: source, filename: file };
  const request = { ...target, revision, sha256, keepPartial };
  const { downloadId } = await service.send<DownloadStatus>("POST", root, request);
  return printEnd(await watch(service, downloadId, json), json);
}

/** Prints the id of a model that is complete, or why it is not. */
function printEnd({ last, isStopped }: Watched, json: boolean): number {
  if (last?.status === "completed") {
    if (!json) printLines([visible(last.modelId ?? nameOf(last))]);
    return exitCodes.ok;
  }
  if (isStopped) printNote("Stopped. What has come is kept: the same command goes on.");
  else printNote(last?.error ?? "The service is gone.");
  if (isStopped || last?.status === "cancelled") return exitCodes.interrupted;
  return exitCodes.failed;
}

interface Watched {
  readonly last: DownloadStatus | undefined;
  readonly isStopped: boolean;
}

/** Shows a download to its end. Ctrl-C cancels it; a second one leaves at once. */
async function watch(service: Service, downloadId: string, json: boolean): Promise<Watched> {
  const bar = new ProgressBar();
  let last: DownloadStatus | undefined;
  let isStopped = false;
  const leave = (): never => process.exit(exitCodes.interrupted);
  const stop = (): void => {
    if (isStopped) leave();
    isStopped = true;
    service.call("DELETE", `${root}/${downloadId}?keepPartial=true`).catch(leave);
  };
  process.on("SIGINT", stop);
  try {
    const answer = await service.call("GET", `${root}/${downloadId}/events`);
    if (!answer.ok) await jsonOf(answer);
    for await (const status of readEvents<DownloadStatus>(answer)) {
      last = status;
      if (json) printJson(status);
      else bar.show(status);
    }
  } catch (error) {
    if (AppError.is(error)) throw error;
  } finally {
    process.off("SIGINT", stop);
    if (!json) bar.end();
  }
  return { last, isStopped };
}

export async function removeModel(service: Service, id: string, { json }: CommonOptions): Promise<void> {
  const removed = await remove(service, id);
  if (json) printJson(removed);
  else printNote(`Removed ${removed.id}.`);
}

/** Removes an installed model, or else the unfinished download of this name or id. */
async function remove(service: Service, id: string): Promise<Removed> {
  const path = id.split("/").map(encodeURIComponent).join("/");
  const answer = await service.call("DELETE", `/api/models/${path}`);
  if (answer.status === 404) {
    const downloads = await unfinished(service);
    const download = downloads.find((one) => [nameOf(one), one.downloadId].includes(id));
    if (download !== undefined) return abandon(service, download);
  }
  return jsonOf<Removed>(answer);
}

/** Cancels a download, or removes the partial file of one that has stopped. */
async function abandon(service: Service, download: DownloadStatus): Promise<Removed> {
  const address = `${root}/${download.downloadId}`;
  const isStopped = ["failed", "cancelled"].includes(download.status);
  await service.send("DELETE", isStopped ? `${address}/partial` : address);
  return { id: nameOf(download) };
}
