// Strikes hosts at random while conversations go on, and ends with 1 when anything is lost or done twice.
//   npm run cluster                          three hosts, 500 conversations, ten minutes
//   npm run cluster -- --minutes 2           shorter
//   npm run cluster -- --conversations 50    fewer
//   npm run cluster -- --think 5             five seconds between two turns of a conversation, not thirty
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { storm } from "./storm.ts";
import type { Blow } from "./support/cluster.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    conversations: { type: "string", default: "500" },
    hosts: { type: "string", default: "3" },
    think: { type: "string", default: "30" },
  },
});
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
  (line) => process.stdout.write(`${line}\n`),
);
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
const { odd, missing, twice, unsettled } = report;
process.exitCode = odd.length + missing.length + twice.length + unsettled.length === 0 ? 0 : 1;
