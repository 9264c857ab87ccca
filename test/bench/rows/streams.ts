import { getJson, modelDoor, now, chat, serviceDoor, sleep, type Door } from "../client.ts";
import { mean, median, middleOf, quiet, type Visit } from "../measure.ts";
import { cores, cpuOf, place, residentOf, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";
import { openStreams } from "../streams.ts";

const pause = 50;
const [few, crowd] = [100, 1000];
/** Milliseconds for which streams flow before they count. */
const settling = 300;
/** Seconds that count. */
const flowing = 4;

/** What streams flow from. */
interface Source {
  readonly program: Program;
  readonly door: Door;
}

/**
 * CPU microseconds of a text in each of the seconds in which streams flow from all sources at once, so that
 * the turns' own is no part of it. Five seconds after they began their messages would be indexed.
 */
async function flow(sources: readonly Source[], seconds: number): Promise<readonly (readonly number[])[]> {
  const all = await Promise.all(
    sources.map(({ door }) => openStreams(door, `s-2000-${pause}`, { count: few, over: pause })),
  );
  for (const streams of all) await streams.begun(30_000);
  await sleep(settling);
  const found: number[][] = sources.map(() => []);
  for (let second = 0; second < seconds; second++) {
    const marks = all.map((streams) => streams.marks());
    const used = sources.map(({ program }) => cpuOf(program.pid));
    await sleep(1000);
    for (const [at, { program }] of sources.entries()) {
      const texts = (all[at]?.marks() ?? Number.NaN) - (marks[at] ?? Number.NaN);
      found[at]?.push(((cpuOf(program.pid) - (used[at] ?? Number.NaN)) * 1000) / texts);
    }
  }
  for (const streams of all) streams.close();
  // What is done once a client has gone is part of no text.
  await sleep(settling);
  return found;
}

/** P3: the CPU of a relayed text. */
export async function relayedChunk({ pipe, service }: Setting, { first, add }: Visit): Promise<Figure> {
  for (const { pid } of [pipe, service]) place(pid, cores.one);
  const sources = [
    { program: pipe, door: modelDoor(pipe.port) },
    { program: service, door: serviceDoor(service.port) },
  ];
  for (let warm = first ? 2 : 0; warm > 0; warm--) await flow(sources, 1);
  const [ofPipe = [], ofOurs = []] = await flow(sources, flowing);
  const [all, bare] = [add("ours", ofOurs), add("pipe", ofPipe)];
  const detail = join(`${mean(all).toFixed(0)} µs, pipe ${mean(bare).toFixed(0)}`, middleOf(all, bare));
  const what = "CPU of a relayed text, 100 streams × 20/s, without the turn's own, ÷ pipe";
  return { id: "P3", what, value: mean(all) / mean(bare), unit: "×", goal: 2, before: "3.0 ×", detail };
}

/** For how many seconds a crowd counts, and how often its memory is looked at in one of them. */
const [seconds, looks] = [3, 4];

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
  const resident: number[] = [];
  for (let look = 0; look < seconds * looks; look++) {
    await sleep(1000 / looks);
    resident.push(residentOf(program.pid));
  }
  const delivered = ((streams.marks() - counted) * 1000) / (now() - from);
  const grown = ((median(resident) - before) * 1024) / crowd;
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
  const bare = await withCrowd(pipe, doors.pipe);
  // Right before: a service that is at rest gives the memory of its warm heap back.
  for (let turn = 0; turn < 600; turn++) await chat(doors.ours, { model: "echo", stream: true });
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

/** So many have one median; those of a visit, and those before all, while the code is not optimized yet. */
const [leavings, groups, firstGroups] = [10, 4, 3];

/** How soon the model's request ends when its client has gone; Infinity where it goes on. */
async function leave(mock: Program, door: Door): Promise<number> {
  await getJson(mock.port, "/stats");
  await chat(door, { model: "s-1000-10", stream: true }, { leaveAfter: 3 });
  const left = now();
  await sleep(25);
  const { aborts } = await getJson<{ readonly aborts: readonly number[] }>(mock.port, "/stats");
  return (aborts[0] ?? Infinity) - left;
}

async function leaveOften(mock: Program, door: Door): Promise<readonly number[]> {
  const delays: number[] = [];
  for (let index = 0; index < leavings; index++) delays.push(await leave(mock, door));
  return delays;
}

/** P5: how soon the model's request ends when the client has gone. */
export async function clientGone({ mock, service }: Setting, { first, add }: Visit): Promise<Figure> {
  // Where it may run beside the model, a wait for that is measured instead.
  place(service.pid, cores.one);
  const door = serviceDoor(service.port);
  for (let warm = first ? firstGroups : 0; warm > 0; warm--) add("all", await leaveOften(mock, door));
  for (let group = 0; group < groups; group++) {
    const delays = await leaveOften(mock, door);
    add("all", delays);
    add("medians", [median(delays)]);
  }
  const [all, medians] = [add("all", []), add("medians", [])];
  const ended = all.filter(Number.isFinite).length;
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
