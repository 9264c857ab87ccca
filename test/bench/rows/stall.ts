import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { filledId } from "../../support/fill-store.ts";
import { sleep } from "../client.ts";
import { median, type Visit } from "../measure.ts";
import { cores, startProgram } from "../processes.ts";
import { missing, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";
import { filledService } from "./growth.ts";

const streams = 200;
const idleSeconds = 4;
/** Rounds of a visit that count, and before them, until the code is optimized; it is let go of at rest. */
const [rounds, warm, warmFirst] = [6, 2, 4];

/** Reads an address to its end, in a process of its own. */
async function read(url: string): Promise<boolean> {
  const script =
    "const answer = await fetch(process.argv[1]); for await (const _ of answer.body); if (!answer.ok) process.exit(1)";
  const program = [process.execPath, "--input-type=module", "-e", script, url];
  // It must not keep those waiting that send and read the streams.
  const child = spawn("nice", ["-n", "19", "taskset", "-c", cores.rest, ...program], { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

/** An export of the longest conversation beside two searches of all titles; false if one fails. */
async function readEverything(port: number): Promise<boolean> {
  const base = `http://127.0.0.1:${port}/v1/conversations`;
  const searches = ["7777", "nothing"].map((text) => read(`${base}?limit=50&q=${text}`));
  const answered = await Promise.all([read(`${base}/${filledId(0)}/export`), ...searches]);
  return !answered.includes(false);
}

const longest = (delays: readonly number[]): number =>
  delays.reduce((most, delay) => Math.max(most, delay), 0);

const [messages, what] = [
  100_000,
  `${streams} streams while 100,000 messages are exported and 100,000 titles searched: longest delay of a text beyond the idle p99`,
];

const reader = path.join(import.meta.dirname, "../delays.ts");

/** P13: how long a text of a live stream waits at worst while others read everything. */
export async function worstStall(setting: Setting, visit: Visit): Promise<Figure> {
  const { port } = await visit.keep(() => filledService(setting, messages, "stall"));
  const args = ["--conditions=source", "--import=tsx", reader, String(port), String(streams)];
  const reading = await startProgram(args, cores.rest);
  const delays = async (): Promise<readonly number[]> => {
    reading.process.stdin.write("\n");
    return JSON.parse(await reading.line()) as readonly number[];
  };
  try {
    await delays();
    await sleep(idleSeconds * 1000);
    const idle = visit.add("idle", await delays()).toSorted((a, b) => a - b);
    const worst: number[] = [];
    const before = visit.first ? warmFirst : warm;
    for (let round = 0; round < before + rounds; round++) {
      if (!(await readEverything(port))) return missing("P13", what, "an export or a search failed");
      worst.push(longest(await delays()));
    }
    const counted = visit.add("worst", worst.slice(before));
    const p99 = idle[Math.floor(idle.length * 0.99)] ?? Number.NaN;
    return {
      id: "P13",
      what,
      value: median(counted) - p99,
      unit: "ms",
      goal: 15,
      from: median(counted),
      detail: `longest ${counted.map((delay) => delay.toFixed(0)).join(", ")} ms; idle p50 ${median(idle).toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest(idle).toFixed(1)} ms`,
    };
  } finally {
    await reading.end();
  }
}
