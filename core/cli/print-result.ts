import { wrapAnsi } from "fast-wrap-ansi";
import { styled, visible } from "./visible.ts";

/** Writes lines to stdout. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

/** Writes lines to stdout, wrapped between words where a terminal would break them. */
export function printWrapped(lines: readonly string[]): void {
  const { isTTY, columns } = process.stdout;
  if (!isTTY || !columns) return printLines(lines);
  printLines(lines.map((line) => wrapAnsi(line, columns, { trim: false })));
}

/** Writes a value to stdout as one line of JSON. */
export function printJson(value: unknown): void {
  printLines([JSON.stringify(value)]);
}

/** Writes a command's result to stdout: the value as one line of JSON with `--json`, else the lines. */
export function printResult(
  { json }: { readonly json?: boolean },
  value: unknown,
  lines: readonly string[],
): void {
  if (json) printJson(value);
  else printWrapped(lines);
}

/** Wrapped between words where a terminal would break them. */
function wrapNote(text: string): string {
  const { isTTY, columns } = process.stderr;
  if (!isTTY || !columns) return visible(text);
  return wrapAnsi(visible(text), columns, { trim: false });
}

/** Writes a note for the person at the terminal to stderr, its control characters as visible signs. */
export function printNote(text: string): void {
  process.stderr.write(`${wrapNote(text)}\n`);
}

/** Writes a note in dim letters. */
export function printDim(text: string): void {
  process.stderr.write(`${styled("dim", wrapNote(text))}\n`);
}

/** Writes what went wrong to stderr, its control characters as visible signs. */
export function printError(text: string): void {
  process.stderr.write(`${styled("red", wrapNote(text))}\n`);
}
