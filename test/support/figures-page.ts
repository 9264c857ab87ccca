import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import path from "node:path";
import { root } from "../architecture/tree.ts";

/** What figures were measured on, and when. */
export function machineOf(): string {
  const { model = "unknown processor" } = cpus()[0] ?? {};
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${cpus().length} cores (${model.trim()}), ${memory} GB, Node ${process.version}, ${date}`;
}

/** The same with how busy it has been in the last minutes, for figures that other work disturbs. */
export const loadedMachineOf = (): string =>
  `${machineOf()}, with a load of ${(loadavg()[2] ?? 0).toFixed(1)}`;

/**
 * Puts a table in the place of the one that a page of the documentation has between its marks, below a line
 * that tells the machine.
 */
export function writeTable(
  page: string,
  mark: "figures" | "journeys" | "peers" | "spread",
  table: string,
  machine = machineOf(),
): void {
  const file = path.join(root, page);
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
  const [before, rest] = readFileSync(file, "utf8").split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for ${mark}`);
  writeFileSync(file, `${before}${begin}\nMeasured on ${machine}.\n\n${table}\n${end}${after}`);
}
