import { spawn } from "node:child_process";
import { once } from "node:events";
import { filledId } from "../../support/fill-store.ts";
import { now, serviceDoor, sleep } from "../client.ts";
import { median } from "../measure.ts";
import { cores, place, type Program } from "../processes.ts";
import { missing, type Figure } from "../report.ts";
import { openStreams } from "../streams.ts";

const streams = 200;
const idleSeconds = 4;
/** Those that count, after some until whose end the code was optimized. */
const [rounds, firstRounds] = [9, 2];

/** Reads an address to its end in a process of its own: this one is to see nothing but the streams. */
async function read(url: string): Promise<boolean> {
  const script =
    "const answer = await fetch(process.argv[1]); for await (const _ of answer.body); if (!answer.ok) process.exit(1)";
  const program = [process.execPath, "--input-type=module", "-e", script, url];
  const child = spawn("taskset", ["-c", cores.rest, ...program], { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

/** An export of the longest conversation beside two searches of all titles; false if one fails. */
async function readEverything(service: Program): Promise<boolean> {
  const base = `http://127.0.0.1:${service.port}/v1/conversations`;
  const searches = ["7777", "nothing"].map((text) => read(`${base}?limit=50&q=${text}`));
  const answered = await Promise.all([read(`${base}/${filledId(0)}/export`), ...searches]);
  return !answered.includes(false);
}

const longest = (delays: readonly number[]): number =>
  delays.reduce((most, delay) => Math.max(most, delay), 0);

/** P13: how long a text of a live stream waits at worst while others read everything, several times. */
export async function worstStall(service: Program): Promise<Figure> {
  place(service.pid, cores.two);
  const what = `${streams} streams while 100,000 messages are exported and 100,000 titles searched: longest delay of a text beyond the idle p99`;
  let delays: number[] = [];
  const open = await openStreams(serviceDoor(service.port), "s-2000-50", {
    count: streams,
    over: 1000,
    onMark: (sent) => delays.push(now() - sent),
  });
  try {
    await open.begun(60_000);
    delays = [];
    await sleep(idleSeconds * 1000);
    const idle = delays.toSorted((a, b) => a - b);
    const worst: number[] = [];
    const begun = now();
    for (let round = 0; round < firstRounds + rounds; round++) {
      delays = [];
      if (!(await readEverything(service))) return missing("P13", what, "an export or a search failed");
      if (round >= firstRounds) worst.push(longest(delays));
    }
    const took = (now() - begun) / 1000 / (firstRounds + rounds);
    const p99 = idle[Math.floor(idle.length * 0.99)] ?? Number.NaN;
    return {
      id: "P13",
      what,
      value: median(worst) - p99,
      unit: "ms",
      goal: 15,
      from: median(worst),
      detail: `longest ${worst.map((delay) => delay.toFixed(0)).join(", ")} ms; idle p50 ${median(idle).toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest(idle).toFixed(1)} ms; read in ${took.toFixed(1)} s`,
    };
  } finally {
    open.close();
    await sleep(500);
  }
}
