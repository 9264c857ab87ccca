import type { Compared } from "../migrate/compare-all.ts";
import type { MoveResult } from "../migrate/move-all.ts";
import type { StorageSide } from "../migrate/storage-side.ts";
import { exitCodes, exitCodeOf } from "./exit-codes.ts";
import { MoveProgress } from "./move-progress.ts";
import { silentLog } from "./person-log.ts";
import { printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { visible } from "./visible.ts";

interface MigrateOptions extends CommonOptions {
  readonly from?: string;
  readonly to: string;
  /** Compares only. */
  readonly check?: boolean;
}

/** Copies all that a storage has into another one, and compares them. */
export async function migrate(options: MigrateOptions): Promise<number> {
  const [{ findSide }, { moveAll }] = await Promise.all([
    import("../migrate/storage-side.ts"),
    import("../migrate/move-all.ts"),
  ]);
  const settings = settingsOf({ ...options, secretsMayMiss: true });
  const from = await findSide(options.from, settings);
  const to = await findSide(options.to, settings);
  const progress = new MoveProgress(options.json === true);
  const checkOnly = options.check === true;
  const result = await untilInterrupted(async (signal) =>
    moveAll({
      from,
      to,
      checkOnly,
      signal,
      log: silentLog,
      onCopied: (what, count) => progress.add(what, count),
      onCompare: () => progress.compare(),
    }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    }),
  );
  progress.end();
  if (result === undefined) {
    printNote("Stopped. The source is as it was. Run the same command again to go on.");
    return exitCodes.interrupted;
  }
  print(result, { from, to, options });
  return exitCodeOf(checkOnly ? result.compared.every(({ equal }) => equal) : result.finished);
}

interface Sides {
  readonly from: StorageSide;
  readonly to: StorageSide;
  readonly options: MigrateOptions;
}

function print(result: MoveResult, { from, to, options }: Sides): void {
  const value = { from: from.place, to: to.place, ...result, storage: to.written ?? null };
  const lines = [
    `${visible(from.place)} -> ${visible(to.place)}`,
    ...result.compared.filter(({ source, target }) => source.count + target.count > 0).map(lineOf),
    ...advice(result, { from, to, options }),
  ];
  printResult(options, value, lines);
}

function lineOf({ name, kind, source, target, equal }: Compared): string {
  const what = kind === "search" ? `search ${name}` : name;
  if (equal) return `  ${visible(what)}: ${source.count}, equal (${source.digest.slice(0, 16)})`;
  const counts = `${source.count} in the source, ${target.count} in the target`;
  return `  ${visible(what)}: DIFFERENT, ${counts}`;
}

function advice(result: MoveResult, { to, options }: Sides): readonly string[] {
  const different = result.compared.filter(({ equal }) => !equal).length;
  if (options.check === true)
    return [different === 0 ? "Both hold the same." : `${different} parts are different.`];
  if (result.sourceInUse)
    return [
      "Not finished: a service works on the source, and what it writes from now on is not in the target.",
      "Stop the service and run the same command again. It copies only what has changed since.",
    ];
  if (different > 0) return ["Not finished: the target is not equal. Run the same command again."];
  if (to.written === undefined) return [`Finished. From now on, start with ${visible(options.to)}.`];
  return [
    "Finished. Before you start the service again, write this into the settings file:",
    `  "storage": ${JSON.stringify(to.written)}`,
    "The source is as it was. Remove it once you are sure that you do not need it.",
  ];
}
