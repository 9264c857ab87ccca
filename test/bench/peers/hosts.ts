import { chat, getJson, many, numbered, post, serviceDoor, sleep } from "../client.ts";
import { cpuPer, measure, median, type Round } from "../measure.ts";
import { cores, place, residentOf } from "../processes.ts";
import { join } from "../report.ts";
import type { Setting } from "../setting.ts";
import type { AgentHost } from "./catalogue.ts";
import type { Comparison, Subject } from "./report.ts";
import { startPeer, type RunningPeer } from "./start-peer.ts";

const iterations = 50;

/** The gap and the CPU of a tool loop, as P6 and P7 measure them. */
async function compareLoops(
  setting: Setting,
  host: AgentHost,
  running: RunningPeer,
): Promise<readonly Comparison[]> {
  const { mock, service, files } = setting;
  const model = `tools-${iterations}`;
  const theirs = async (): Promise<void> => {
    const { door, body } = host.ask(running.scene, model, numbered("read the files."));
    const { text } = await post(door, body);
    if (!text.includes("done")) throw new Error(`the loop broke off: ${text.slice(-200)}`);
  };
  const more = { service_config: { working_directory: files } };
  const ours = () => chat(serviceDoor(service.port), { model, stream: true, text: "read the files.", more });
  for (const { pid } of [running, service]) place(pid, cores.one);
  // Of an iteration, in milliseconds.
  const cpu = (pid: number, run: () => Promise<unknown>) => () => cpuPer({ pid }, iterations * 1000, run);
  const hot = await measure({ theirs: cpu(running.pid, theirs), ours: cpu(service.pid, ours) });
  for (const { pid } of [running, service]) place(pid, cores.two);
  const gap =
    (run: () => Promise<unknown>): Round =>
    async () => {
      await getJson(mock.port, "/stats");
      await run();
      return median((await getJson<{ readonly gaps: readonly number[] }>(mock.port, "/stats")).gaps);
    };
  const gaps = await measure({ theirs: gap(theirs), ours: gap(ours) }, { warm: 3, pairs: 5 });
  const of = { unit: "ms", peer: host.name };
  return [
    {
      id: "P6",
      what: "gap of the tool loop",
      ...of,
      theirs: median(gaps.of.theirs),
      ours: median(gaps.of.ours),
      note: join(host.note, gaps.note),
    },
    {
      id: "P7",
      what: "CPU of a tool iteration",
      ...of,
      theirs: median(hot.of.theirs),
      ours: median(hot.of.ours),
      note: join(host.note, hot.note),
    },
  ];
}

interface Started {
  readonly pid: number;
  readonly started: number;
  end(): Promise<void>;
}

interface Life {
  readonly start: () => Promise<Started>;
  readonly turn: (of: Started) => Promise<unknown>;
}

/** Start-up, idle memory and memory after 1,000 turns: milliseconds and megabytes. */
async function lifeOf({ start, turn }: Life): Promise<readonly [number, number, number]> {
  const times: number[] = [];
  for (let round = 0; round < 4; round++) {
    const program = await start();
    times.push(program.started);
    await program.end();
  }
  const program = await start();
  await sleep(3000);
  const idle = residentOf(program.pid);
  await many(1000, 8, () => turn(program));
  await sleep(5000);
  const after = residentOf(program.pid);
  await program.end();
  return [median(times.slice(1)), idle, after];
}

const lifeRows: readonly Subject[] = [
  { id: "P8", what: "start → first answer", unit: "ms" },
  { id: "P9", what: "idle memory", unit: "MB" },
  { id: "P9", what: "memory after 1,000 turns", unit: "MB" },
];

export async function ourLife({ start }: Setting): Promise<readonly [number, number, number]> {
  return lifeOf({
    start: async () => {
      const begun = performance.now();
      const program = await start("peers", { on: cores.two });
      await (await fetch(`http://127.0.0.1:${program.port}/health`)).text();
      return { ...program, started: performance.now() - begun };
    },
    turn: (of) =>
      chat(serviceDoor((of as Started & { readonly port: number }).port), { model: "echo", stream: true }),
  });
}

/** A host and Pergola: the loop in turns, and what Pergola's life was. */
export async function compareHost(
  setting: Setting,
  host: AgentHost,
  ours: readonly number[],
): Promise<readonly Comparison[]> {
  const scene = { mock: setting.mock.port, files: setting.files };
  const running = await startPeer(host, cores.one, scene);
  const loops = await compareLoops(setting, host, running).finally(() => running.end());
  const theirs = await lifeOf({
    start: () => startPeer(host, cores.two, scene),
    turn: (of) => {
      const { door, body } = host.ask((of as RunningPeer).scene, "echo", numbered("say hello, please."));
      return post(door, body);
    },
  });
  const lives = lifeRows.map((row, at): Comparison => ({
    ...row,
    peer: host.name,
    theirs: theirs[at],
    ours: ours[at],
    note: host.note,
  }));
  return [...loops, ...lives];
}
