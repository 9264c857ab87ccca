import { getJson, modelDoor, now, chat, serviceDoor, sleep, type Door } from "../client.ts";
import { cpuPer, measure, median, middleOf, planOf, quiet, type Visit } from "../measure.ts";
import { cores, place, residentOf, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";
import { openStreams } from "../streams.ts";

const pause = 50;
const [few, crowd] = [100, 1000];
/** Milliseconds for which streams flow before they count. */
const settling = 300;

/** CPU microseconds of a text of streams that flow, so that the turns' own is no part of it. */
const flow = (program: Program, door: Door, seconds: number) => async (): Promise<number> => {
  const streams = await openStreams(door, `s-2000-${pause}`, { count: few, over: pause });
  await streams.begun(30_000);
  await sleep(settling);
  const counted = streams.marks();
  const used = await cpuPer(program, 1, () => sleep(seconds * 1000));
  const texts = streams.marks() - counted;
  streams.close();
  // What is done once a client has gone is part of no text.
  await sleep(settling);
  return used / texts;
};

/** P3: the CPU of a relayed text. */
export async function relayedChunk({ pipe, service }: Setting, visit: Visit): Promise<Figure> {
  for (const { pid } of [pipe, service]) place(pid, cores.one);
  const legs = {
    pipe: flow(pipe, modelDoor(pipe.port), 1),
    ours: flow(service, serviceDoor(service.port), 1),
  };
  const plan = planOf(visit, { quick: { pairs: 3, warm: 2 }, first: { pairs: 2, warm: 2 }, later: [2, 0] });
  const { of } = await measure(legs, plan, visit);
  const [ours, bare] = [quiet(of.ours), quiet(of.pipe)];
  const detail = join(`${ours.toFixed(0)} µs, pipe ${bare.toFixed(0)}`, middleOf(of.ours, of.pipe));
  const what = "CPU of a relayed text, 100 streams × 20/s, without the turn's own, ÷ pipe";
  return { id: "P3", what, value: ours / bare, unit: "×", goal: 2, before: "3.0 ×", detail };
}

const seconds = 3;

interface Crowd {
  /** Texts a second, as they arrived while all streams were open. */
  readonly delivered: number;
  /** Kilobytes that the program grew by, a stream. */
  readonly grown: number;
}

async function withCrowd(program: Program, door: Door): Promise<Crowd> {
  const before = residentOf(program.pid);
  const streams = await openStreams(door, `s-2000-${pause}`, { count: crowd, over: 4000 });
  await streams.begun(90_000);
  const [from, counted] = [now(), streams.marks()];
  await sleep(seconds * 1000);
  const delivered = ((streams.marks() - counted) * 1000) / (now() - from);
  const grown = ((residentOf(program.pid) - before) * 1024) / crowd;
  streams.close();
  await sleep(1000);
  return { delivered, grown };
}

/** P4: a thousand streams at once on one core. */
export async function thousandStreams(setting: Setting): Promise<readonly Figure[]> {
  const { pipe } = setting;
  const service = await setting.start("crowd");
  for (const { pid } of [pipe, service]) place(pid, cores.one);
  const doors = { pipe: modelDoor(pipe.port), ours: serviceDoor(service.port) };
  for (let turn = 0; turn < 600; turn++) await chat(doors.ours, { model: "echo", stream: true });
  const bare = await withCrowd(pipe, doors.pipe);
  const ours = await withCrowd(service, doors.ours);
  await service.end();
  return [
    {
      id: "P4",
      what: "1,000 streams × 20/s on one core: delivered ÷ pipe's",
      value: ours.delivered / bare.delivered,
      unit: "×",
      goal: 0.8,
      before: ".31 ×",
      atLeast: true,
      detail: `${ours.delivered.toFixed(0)} a second, pipe ${bare.delivered.toFixed(0)}`,
    },
    {
      id: "P4",
      what: "memory of a stream among 1,000, RSS grown on a warm heap",
      value: ours.grown,
      unit: "KB",
      goal: 40,
      before: "134 KB",
      detail: `pipe ${bare.grown.toFixed(0)} KB`,
    },
  ];
}

/** In a visit, and before all of them, while the code is not optimized yet. */
const [leavings, firstLeavings] = [20, 30];

/** How soon the model's request ends when its client has gone; Infinity where it goes on. */
async function leave(mock: Program, door: Door): Promise<number> {
  await getJson(mock.port, "/stats");
  await chat(door, { model: "s-1000-10", stream: true }, { leaveAfter: 3 });
  const left = now();
  await sleep(25);
  const { aborts } = await getJson<{ readonly aborts: readonly number[] }>(mock.port, "/stats");
  return (aborts[0] ?? Infinity) - left;
}

async function leaveOften(count: number, mock: Program, door: Door): Promise<readonly number[]> {
  const delays: number[] = [];
  for (let index = 0; index < count; index++) delays.push(await leave(mock, door));
  return delays;
}

/** P5: how soon the model's request ends when the client has gone. */
export async function clientGone({ mock, service }: Setting, { first, add }: Visit): Promise<Figure> {
  place(service.pid, cores.two);
  const door = serviceDoor(service.port);
  if (first) add("all", await leaveOften(firstLeavings, mock, door));
  const delays = await leaveOften(leavings, mock, door);
  const all = add("all", delays);
  const ended = all.filter(Number.isFinite).length;
  const medians = add("medians", [median(delays)]);
  return {
    id: "P5",
    what: "client gone → model's request ended, p50, all of them",
    value: ended < all.length ? Infinity : quiet(medians),
    unit: "ms",
    goal: 5,
    before: "0.8 ms",
    detail: `${ended} of ${all.length} ended; in the middle ${median(medians).toFixed(2)}`,
  };
}
