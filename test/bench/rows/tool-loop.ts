import { chat, getJson, many, now, numbered, serviceDoor, sleep } from "../client.ts";
import {
  cpuOfEach,
  measure,
  measureTogether,
  median,
  middleOf,
  planOf,
  quiet,
  ratioOf,
  type Visit,
} from "../measure.ts";
import { cores, place, shareOf, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const iterations = 50;
const loopsInRound = 4;

/** Runs a loop of so many file reads in the bare loop. */
async function runFloor(floor: Program, loops: number, model: string): Promise<void> {
  for (let loop = 0; loop < loops; loop++)
    floor.process.stdin.write(`${model} ${numbered("read the files.")}\n`);
  for (let loop = 0; loop < loops; loop++) await floor.line();
}

async function runService(port: number, files: string, model: string): Promise<void> {
  const more = { service_config: { working_directory: files } };
  const { text } = await chat(serviceDoor(port), { model, stream: true, text: "read the files.", more });
  if (!text.includes("done")) throw new Error(`The loop broke off: ${text.slice(-400)}`);
}

interface Legs {
  readonly floor: () => Promise<unknown>;
  readonly ours: () => Promise<unknown>;
}

const legsOf = ({ floor, files }: Setting, port: number, model: string): Legs => ({
  floor: () => runFloor(floor, 1, model),
  ours: () => runService(port, files, model),
});

async function times(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < count; turn++) await run();
}

/** P7: the CPU of an iteration, on one core. */
export async function loopCpu(setting: Setting, visit: Visit): Promise<Figure> {
  const { floor, service } = setting;
  for (const { pid } of [floor, service]) place(pid, cores.one);
  const legs = legsOf(setting, service.port, `tools-${iterations}`);
  const round = (): Promise<readonly number[]> =>
    cpuOfEach([floor, service], loopsInRound * iterations, () =>
      times(loopsInRound, async () => {
        await legs.floor();
        await legs.ours();
      }),
    );
  const plans = { quick: { warm: 6 }, first: { pairs: 4, least: 14, warm: 14 }, later: [4, 4] } as const;
  const { of, first } = await measureTogether(
    { names: ["floor", "ours"], round },
    planOf(visit, plans),
    visit,
  );
  const cold = await visit.keep(async () => first);
  const [ours, bare] = [quiet(of.ours), quiet(of.floor)];
  return {
    id: "P7",
    what: "CPU of a tool iteration, hot, ÷ floor",
    value: ours / bare,
    unit: "×",
    goal: 3,
    before: "6.3 ×",
    detail: join(
      `${(ours / 1000).toFixed(2)} ms, floor ${(bare / 1000).toFixed(2)}`,
      middleOf(of.ours, of.floor),
    ),
    cold: `first ${loopsInRound * iterations} iterations ${(cold.ours / 1000).toFixed(1)} ms each, ${(cold.ours / cold.floor).toFixed(1)} × floor's first`,
  };
}

/** The gaps between the model's answers and its next requests in what runs, in their order. */
async function gapsOf({ mock }: Setting, run: () => Promise<unknown>): Promise<readonly number[]> {
  await getJson(mock.port, "/stats");
  await run();
  return (await getJson<{ readonly gaps: readonly number[] }>(mock.port, "/stats")).gaps;
}

/** P6: the gap between two model calls, on two cores. */
export async function loopGap(setting: Setting, visit: Visit): Promise<Figure> {
  const { floor, service } = setting;
  for (const { pid } of [floor, service]) place(pid, cores.two);
  const legs = legsOf(setting, service.port, `tools-${iterations}`);
  const gap = (run: () => Promise<unknown>) => async (): Promise<number> =>
    median(await gapsOf(setting, () => times(2, run)));
  const { of } = await measure(
    { floor: gap(legs.floor), ours: gap(legs.ours) },
    planOf(visit, { first: { pairs: 4, warm: 4 }, later: [4, 2] }),
    visit,
  );
  const [ours, bare] = [quiet(of.ours), quiet(of.floor)];
  return {
    id: "P6",
    what: `gap of the tool loop, K = ${iterations}, hot, p50, ÷ floor`,
    value: ours / bare,
    unit: "×",
    goal: 2,
    before: "4.2 ×",
    detail: join(`${ours.toFixed(2)} ms, floor ${bare.toFixed(2)}`, middleOf(of.ours, of.floor)),
  };
}

const [long, ends] = [200, 25];
const longLoops = 6;

/** P6: how the gap grows in a long loop, beside how the bare loop's grows. */
export async function longLoop(setting: Setting, visit: Visit): Promise<Figure> {
  const { floor, service } = setting;
  for (const { pid } of [floor, service]) place(pid, cores.two);
  const legs = legsOf(setting, service.port, `tools-${long}`);
  const warm = visit.first ? 2 : 1;
  for (let loop = -warm; loop < longLoops; loop++)
    for (const leg of ["floor", "ours"] as const) {
      const gaps = await gapsOf(setting, legs[leg]);
      const growth = median(gaps.slice(-ends)) / median(gaps.slice(0, ends));
      if (loop >= 0) visit.add(leg, [growth]);
    }
  const [ours, bare] = [visit.add("ours", []), visit.add("floor", [])];
  return {
    id: "P6",
    what: `gap, last ${ends} of ${long} ÷ first ${ends}, ÷ the same of floor`,
    value: ratioOf(ours, bare),
    unit: "×",
    goal: 1.2,
    detail: `grows to ${median(ours).toFixed(1)} ×, floor's to ${median(bare).toFixed(1)} ×`,
  };
}

const [crowd, short] = [50, 20];

/** P7n: iterations a second of fifty loops at once, on one core. */
export async function manyLoops(setting: Setting, visit: Visit): Promise<Figure> {
  const { floor, service, files } = setting;
  for (const { pid } of [floor, service]) place(pid, cores.one);
  const model = `tools-${short}`;
  const seconds = (run: () => Promise<unknown>) => async (): Promise<number> => {
    const begun = now();
    await run();
    return (now() - begun) / 1000;
  };
  const all = () => Promise.all(Array.from({ length: crowd }, () => runService(service.port, files, model)));
  const { of } = await measure(
    { floor: seconds(() => runFloor(floor, crowd, model)), ours: seconds(all) },
    planOf(visit, { first: { pairs: 3, warm: 4 }, later: [3, 1] }),
    visit,
  );
  const [ours, bare] = [quiet(of.ours), quiet(of.floor)];
  const speed = (taken: number): string => ((crowd * short) / taken).toFixed(0);
  return {
    id: "P7n",
    what: `${crowd} tool loops at once, iterations a second on one core, ÷ floor`,
    value: bare / ours,
    unit: "×",
    goal: 0.4,
    atLeast: true,
    detail: join(`${speed(ours)} a second, floor ${speed(bare)}`, middleOf(of.floor, of.ours)),
  };
}

/** Milliseconds after a start until the service has given back what that took. */
const atRest = 4000;

/** P10: what tool iterations leave in memory, in conversations that are over. */
export async function memoryAfterLoops({ start, files }: Setting): Promise<readonly Figure[]> {
  const service = await start("after-loops", { on: cores.two });
  await sleep(atRest);
  const after: number[] = [shareOf(service.pid)];
  for (const total of [1000, 9000]) {
    await many(total / iterations, 4, () => runService(service.port, files, `tools-${iterations}`));
    await sleep(10_000);
    after.push(shareOf(service.pid));
  }
  await service.end();
  const [idle = NaN, thousand = NaN, tenThousand = NaN] = after;
  const detail = after.map((value) => value.toFixed(0)).join(", ");
  const what = "memory (PSS) after";
  return [
    {
      id: "P10",
      what: `${what} 10,000 tool iterations ÷ after 1,000`,
      value: tenThousand / thousand,
      unit: "×",
      goal: 1.1,
      detail: `idle, 1,000, 10,000: ${detail} MB`,
    },
    {
      id: "P10",
      what: `${what} 1,000 tool iterations, beyond idle`,
      value: thousand - idle,
      unit: "MB",
      goal: 40,
    },
  ];
}
