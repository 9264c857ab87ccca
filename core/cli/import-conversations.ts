import path from "node:path";
import { exitCodes, exitCodeOf } from "./exit-codes.ts";
import { ImportProgress, type Progress } from "./import-progress.ts";
import { importCommand } from "./plugin-command.ts";
import { printJson, printLines, printNote } from "./print-result.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { untilInterrupted } from "./until-interrupted.ts";

interface ImportOptions extends CommonOptions {
  readonly from: string;
  readonly onConflict?: string;
}

interface ImportReport {
  /** Ids. */
  readonly imported: readonly string[];
  readonly replaced: readonly string[];
  readonly failed: readonly unknown[];
  /** By the person, or by what the message says. */
  readonly stopped: boolean | string;
}

/** What the plugin that reads exports has for this command. */
interface Importer {
  readonly importFile: (importing: {
    readonly service: Pick<Service, "send">;
    readonly file: string;
    readonly from: string;
    readonly onConflict?: string | undefined;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
  }) => Promise<{ readonly report: ImportReport; readonly lines: readonly string[] }>;
}

function exitCodeFor({ failed, stopped }: ImportReport): number {
  if (stopped === true) return exitCodes.interrupted;
  return stopped === false ? exitCodeOf(failed.length === 0) : exitCodes.unavailable;
}

/**
 * Imports the conversations of a file, an archive or a folder. The id of a single one goes to stdout, the
 * report to stderr.
 */
export async function importConversations(file: string, options: ImportOptions): Promise<number> {
  const { from, onConflict, json } = options;
  const { importFile } = await importCommand<Importer>("import", options);
  return withService(options, async (service) => {
    const progress = new ImportProgress();
    const onProgress = (now: Progress): void => progress.show(now);
    const { report, lines } = await untilInterrupted((signal) =>
      importFile({ service, file: path.resolve(file), from, onConflict, signal, onProgress }),
    ).finally(() => progress.end());
    if (json) printJson(report);
    else lines.forEach(printNote);
    const [id, ...others] = [...report.imported, ...report.replaced];
    if (!json && id !== undefined && others.length === 0) printLines([id]);
    return exitCodeFor(report);
  });
}
