import type { DownloadStatus } from "@pergola/sdk/host";
import { printNote } from "./print-result.ts";

const units = ["B", "kB", "MB", "GB", "TB"];

/** `1.2 GB`. */
export function readableBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes.toFixed(0)} B`;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return `${amount.toFixed(1)} ${units[step]}`;
}

function readableTime(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours > 0) return `${hours} h ${minutes} min`;
  if (minutes > 0) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.ceil(seconds)} s`;
}

/** `43 %, 1.2 GB of 2.8 GB, 11.0 MB/s, 2 min 25 s left`, as far as it is known. */
export function progressText(download: DownloadStatus): string {
  const { totalBytes, downloadSpeed, eta } = download;
  if (download.status === "starting") return "waiting to start";
  const size = readableBytes(download.bytesDownloaded);
  const facts: string[] = [];
  if (totalBytes === null) facts.push(size);
  else facts.push(`${Math.floor(download.progress * 100)} %`, `${size} of ${readableBytes(totalBytes)}`);
  if (downloadSpeed > 0) facts.push(`${readableBytes(downloadSpeed)}/s`);
  if (eta !== null) facts.push(`${readableTime(eta)} left`);
  return facts.join(", ");
}

/** Seconds between two lines where no line can be drawn over. */
const linePause = 5;

/**
 * How far a download is, on stderr: a bar that is drawn over at a terminal, now and then a line elsewhere.
 */
export class ProgressBar {
  readonly #isTerminal = process.stderr.isTTY;
  #lastTime = Number.NEGATIVE_INFINITY;
  #lastStatus = "";

  show(download: DownloadStatus): void {
    const { status } = download;
    if (this.#isTerminal) return void process.stderr.write(`\r${barOf(download)}\u001b[K`);
    const now = performance.now() / 1000;
    if (status === this.#lastStatus && now - this.#lastTime < linePause) return;
    this.#lastTime = now;
    this.#lastStatus = status;
    printNote(`${status}: ${progressText(download)}`);
  }

  /** The next output begins a line of its own. */
  end(): void {
    if (this.#isTerminal) process.stderr.write("\n");
  }
}

function barOf(download: DownloadStatus): string {
  const { columns } = process.stderr;
  const text = progressText(download);
  const width = Math.min(40, columns - text.length - 4);
  if (width < 10) return text.slice(0, columns - 1);
  const full = Math.round(width * download.progress);
  return `[${"#".repeat(full)}${"·".repeat(width - full)}] ${text}`;
}
