import { markdownTable } from "../report.ts";
import type { Peer } from "./catalogue.ts";

/** A figure of a peer and of Pergola, from the same run. The less the better. */
export interface Comparison {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly peer: string;
  /** Undefined: it could not be measured; `note` says why. */
  readonly theirs: number | undefined;
  readonly ours: number | undefined;
  readonly note: string;
}

/** What is compared. */
export type Subject = Pick<Comparison, "id" | "what" | "unit">;

export const unmeasured = (subject: Subject, { name }: Peer, note: string): Comparison => ({
  ...subject,
  peer: name,
  theirs: undefined,
  ours: undefined,
  note,
});

const isBetter = ({ theirs = Infinity, ours = 0 }: Comparison): boolean => theirs < ours;

function figure(value: number | undefined, unit: string): string {
  if (value === undefined) return "not measured";
  return `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
}

/** A line a comparison, which says where the peer is better. */
export function printComparisons(rows: readonly Comparison[]): void {
  for (const row of rows) {
    const { id, what, unit, peer, theirs, ours, note } = row;
    const columns = [id.padEnd(5), peer.padEnd(25), figure(theirs, unit).padStart(12)];
    const rest = [`Pergola ${figure(ours, unit)}`.padEnd(22), what, note && `(${note})`];
    const verdict = isBetter(row) ? `  ${peer} is better` : "";
    process.stdout.write(`${[...columns, ...rest].join(" ")}${verdict}\n`);
  }
}

function betterOf(row: Comparison): string {
  if (row.theirs === undefined) return "";
  return isBetter(row) ? row.peer : "Pergola";
}

/** The rows as a table in Markdown, those first in which a peer is better. */
export function peersTable(rows: readonly Comparison[]): string {
  const sorted = [...rows.filter(isBetter), ...rows.filter((row) => !isBetter(row))];
  const lines = sorted.map((row) => {
    const { id, what, unit, peer, theirs, ours, note } = row;
    return [id, what, peer, figure(theirs, unit), figure(ours, unit), betterOf(row), note];
  });
  const head = ["Row", "What", "Peer", "Its figure", "Pergola's", "Better", "More"];
  return markdownTable([head, ...lines]);
}
