import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonSchema } from "@pergola/sdk";
import { defaultOf, rangeOf, settingsOf } from "./settings-page.ts";

const units = {
  _per_minute: "a minute",
  _seconds: "seconds",
  _minutes: "minutes",
  _days: "days",
  _bytes: "bytes",
  _tokens: "tokens",
  _usd: "US dollars",
  burst: "a second",
  session_idle: "duration",
  grant_duration: "duration",
} as const;
const counts = /\.(max_|parallel_|keep_files)/;

/** The unit of a limit by its key; undefined for a setting that limits nothing. */
function unitOf(key: string): string | undefined {
  const [, unit] = Object.entries(units).find(([end]) => key.endsWith(end)) ?? [];
  return unit ?? (counts.test(key) ? "number" : undefined);
}

function rowOf([key, schema]: readonly [string, JsonSchema]): readonly string[] {
  const unit = unitOf(key);
  if (unit === undefined) return [];
  const range = rangeOf(schema).replace(/^, /, "");
  return [`| \`${key}\` | ${unit} | ${defaultOf(schema)} | ${range} | ${schema.description ?? ""} |`];
}

const block = /(<!-- limits -->\n)[^]*?(<!-- end of limits -->)/;

/** docs/operations.md with the table of all limits, from the host's schema and the plugins' manifests. */
export function operationsPage(root: string): string {
  const page = readFileSync(path.join(root, "docs/operations.md"), "utf8");
  const rows = settingsOf(root).flatMap(({ settings }) => Object.entries(settings).flatMap(rowOf));
  const head = ["| Key | Unit | Default | Range | Meaning |", "|---|---|---|---|---|"];
  const table = [...head, ...rows].join("\n");
  return page.replace(block, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`);
}
