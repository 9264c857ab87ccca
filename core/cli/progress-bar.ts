import type { DownloadStatus } from "@pergola/sdk/host";
import { visible } from "./visible.ts";

const units = ["B", "kB", "MB", "GB", "TB"];

/** `1.2 GB`. */
export function readableBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}

function readableTime(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.ceil(seconds)} s`;
}

/** `43 %, 1.2 of 2.8 GB, 11.0 MB/s, 2 min 25 s left`, as far as it is known. */
export function progressText({
  status,
  progress,
  bytesDownloaded,
  totalBytes,
  downloadSpeed,
  eta,
}: DownloadStatus): string {
  if (status === "starting") return "waiting to start";
  const percent = totalBytes === null ? [] : [`${Math.floor(progress * 100)} %`];
  const size =
    readableBytes(bytesDownloaded) + (totalBytes === null ? "" : ` of ${readableBytes(totalBytes)}`);
  const speed = downloadSpeed > 0 ? [`${readableBytes(downloadSpeed)}/s`] : [];
  return [...percent, size, ...speed, ...(eta === null ? [] : [`${readableTime(eta)} left`])].join(", ");
}

/** Seconds between two lines where no line can be drawn over. */
const linePause = 5;

/**
 * How far a download is, on stderr: a bar that is drawn over at a terminal, now and then a line elsewhere.
 */
export class ProgressBar {
  readonly #isTerminal = process.stderr.isTTY;
  #shown = Number.NEGATIVE_INFINITY;
  #state = "";

  show(status: DownloadStatus): void {
    if (this.#isTerminal) return void process.stderr.write(`\r${this.#bar(status)}\u001b[K`);
    const now = performance.now() / 1000;
    if (status.status === this.#state && now - this.#shown < linePause) return;
    [this.#shown, this.#state] = [now, status.status];
    process.stderr.write(`${status.status}: ${visible(progressText(status))}\n`);
  }

  /** The next output begins a line of its own. */
  end(): void {
    if (this.#isTerminal) process.stderr.write("\n");
  }

  #bar(status: DownloadStatus): string {
    const text = progressText(status);
    const room = Math.max(0, Math.min(40, process.stderr.columns - text.length - 4));
    const full = Math.round(room * status.progress);
    return room < 10
      ? text.slice(0, process.stderr.columns - 1)
      : `[${"#".repeat(full)}${"·".repeat(room - full)}] ${text}`;
  }
}
