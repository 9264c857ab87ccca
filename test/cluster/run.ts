// Strikes hosts at random while conversations go on, and ends with 1 when anything is lost or done twice.
//   npm run cluster                          three hosts, 500 conversations, ten minutes
//   npm run cluster -- --minutes 2           shorter
//   npm run cluster -- --conversations 50    fewer
//   npm run cluster -- --throughput          turns a second and CPU of one to three hosts, into docs/scale.md
//   npm run cluster -- --think 5             five seconds between two turns of a conversation, not thirty
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { storm } from "./storm.ts";
import { crowds, measureThroughput } from "./throughput.ts";
import type { Blow } from "./support/cluster.ts";
import { withFigures } from "./support/scale-page.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    conversations: { type: "string", default: "500" },
    hosts: { type: "string", default: "3" },
    think: { type: "string", default: "30" },
    throughput: { type: "boolean", default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function strike(): Promise<boolean> {
  const hosts = Number(values.hosts);
  const kinds = ["kill", "stop", "cut"] as const satisfies readonly Blow[];
  const report = await storm(
    {
      hosts,
      conversations: Number(values.conversations),
      duration: Number(values.minutes) * 60_000,
      think: Number(values.think) * 1000,
      blows: Array.from({ length: 1000 }, () => [kinds[randomInt(kinds.length)]!, randomInt(hosts)] as const),
      pause: 2000,
      length: 5000,
    },
    print,
  );
  print(JSON.stringify(report, undefined, 2));
  const { odd, missing, twice, unsettled } = report;
  return odd.length + missing.length + twice.length + unsettled.length === 0;
}

/** Its figures go into docs/scale.md. */
async function measure(): Promise<void> {
  const page = path.join(import.meta.dirname, "..", "..", "docs", "scale.md");
  const found = await measureThroughput(print);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(page, withFigures(readFileSync(page, "utf8"), { found, crowds, date }));
  print("Written into docs/scale.md. Look at the sentences there that rest on these figures.");
}

if (values.throughput) await measure();
else process.exitCode = (await strike()) ? 0 : 1;
