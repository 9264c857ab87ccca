import { getJson, modelDoor, now, chat, serviceDoor, sleep, type Door } from "../client.ts";
import { cpuPer, measure, median, planOf, type Visit } from "../measure.ts";
import { cores, place, residentOf, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";
import { openStreams, runStreams } from "../streams.ts";

const pause = 50;

interface Load {
  readonly streams: number;
  /** Texts of a short and of a long stream. */
  readonly short: number;
  readonly long: number;
}

/** CPU microseconds of a text: what long streams cost more than short ones, so the turns' own is off. */
const chunkLeg =
  (program: Program, door: Door, { streams, short, long }: Load) =>
  async () => {
    const run = (texts: number) =>
      cpuPer(program, 1, () => runStreams(door, `s-${texts}-${pause}`, streams, pause));
    const begun = await run(short);
    return ((await run(long)) - begun) / (streams * (long - short));
  };

/** P3: the CPU of a relayed text. */
export async function relayedChunk({ pipe, service }: Setting, visit: Visit): Promise<Figure> {
  for (const { pid } of [pipe, service]) place(pid, cores.one);
  const load = { streams: 100, short: 5, long: visit.quick ? 25 : 65 };
  const legs = {
    pipe: chunkLeg(pipe, modelDoor(pipe.port), load),
    ours: chunkLeg(service, serviceDoor(service.port), load),
  };
  const plans = {
    quick: { pairs: 2, warm: 2 },
    first: { pairs: 1, warm: 2 },
    later: { pairs: 1, least: 1, warm: 1 },
  };
  const { of, note } = await measure(legs, planOf(visit, plans));
  const detail = join(`${median(of.ours).toFixed(0)} µs, pipe ${median(of.pipe).toFixed(0)}`, note);
  const what = "CPU of a relayed text, 100 streams × 20/s, without the turn's own, ÷ pipe";
  // Differences again: the quotient of medians.
  return {
    id: "P3",
    what,
    value: median(of.ours) / median(of.pipe),
    unit: "×",
    goal: 2,
    before: "3.0 ×",
    detail,
  };
}

const crowd = 1000;
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

/** The first of them, while the code is not optimized yet, count for what ends, not for how soon. */
const [leavings, firstLeavings] = [80, 30];

/** P5: how soon the model's request ends when the client has gone. */
export async function clientGone({ mock, service }: Setting): Promise<Figure> {
  place(service.pid, cores.two);
  const door = serviceDoor(service.port);
  const delays: number[] = [];
  for (let index = 0; index < leavings; index++) {
    await getJson(mock.port, "/stats");
    await chat(door, { model: "s-1000-10", stream: true }, { leaveAfter: 3 });
    const left = now();
    await sleep(25);
    const { aborts } = await getJson<{ readonly aborts: readonly number[] }>(mock.port, "/stats");
    if (aborts[0] !== undefined) delays.push(aborts[0] - left);
  }
  const value = delays.length < leavings ? Infinity : median(delays.slice(firstLeavings));
  const detail = `${delays.length} of ${leavings} ended`;
  return {
    id: "P5",
    what: "client gone → model's request ended, p50, all of them",
    value,
    unit: "ms",
    goal: 5,
    before: "0.8 ms",
    detail,
  };
}
