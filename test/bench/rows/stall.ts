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

/** Reads an address to its end in a process of its own: this one is to see nothing but the streams. */
async function read(url: string): Promise<boolean> {
  const script =
    "const answer = await fetch(process.argv[1]); for await (const _ of answer.body); if (!answer.ok) process.exit(1)";
  const program = [process.execPath, "--input-type=module", "-e", script, url];
  const child = spawn("taskset", ["-c", cores.rest, ...program], { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

const longest = (delays: readonly number[]): number =>
  delays.reduce((most, delay) => Math.max(most, delay), 0);

/** P13: how long a text of a live stream waits at worst while others read everything. */
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
    delays = [];
    const base = `http://127.0.0.1:${service.port}/v1/conversations`;
    const begun = now();
    const reading = [
      read(`${base}/${filledId(0)}/export`),
      ...["7777", "nothing"].map((text) => read(`${base}?limit=50&q=${text}`)),
    ];
    const answered = await Promise.all(reading);
    if (answered.includes(false)) return missing("P13", what, "an export or a search failed");
    const [p99 = NaN, worst = NaN] = [idle[Math.floor(idle.length * 0.99)], longest(delays)];
    return {
      id: "P13",
      what,
      value: worst - p99,
      unit: "ms",
      goal: 15,
      detail: `idle p50 ${median(idle).toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest(idle).toFixed(1)} ms; read in ${((now() - begun) / 1000).toFixed(1)} s`,
    };
  } finally {
    open.close();
    await sleep(500);
  }
}
