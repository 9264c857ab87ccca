import type { CommonOptions } from "./service.ts";

/** Writes a command's result to stdout: the value as one line of JSON with `--json`, else the text. */
export function printResult({ json = false }: CommonOptions, value: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : text);
}
