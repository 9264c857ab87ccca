import { chat, getJson, many, numbered, serviceDoor, sleep } from "../client.ts";
import { cpuPer, measure, median, ratioOf, planOf, type Visit } from "../measure.ts";
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

/** P6 and P7: the gap between two model calls, on two cores, and the CPU of an iteration, on one. */
export async function toolLoop(setting: Setting, visit: Visit): Promise<readonly Figure[]> {
  const { mock, floor, service } = setting;
  const { floor: bare, ours } = legsOf(setting, service.port, `tools-${iterations}`);
  for (const { pid } of [floor, service]) place(pid, cores.one);
  const cpu = (program: Program, run: () => Promise<unknown>) => () =>
    cpuPer(program, loopsInRound * iterations, () => times(loopsInRound, run));
  const hot = await measure(
    { floor: cpu(floor, bare), ours: cpu(service, ours) },
    planOf(visit, { quick: { warm: 6 }, first: { least: 14, warm: 14 }, later: { warm: 4 } }),
  );
  for (const { pid } of [floor, service]) place(pid, cores.two);
  const gap = (run: () => Promise<unknown>) => async (): Promise<number> => {
    await getJson(mock.port, "/stats");
    await times(2, run);
    return median((await getJson<{ readonly gaps: readonly number[] }>(mock.port, "/stats")).gaps);
  };
  const gaps = await measure({ floor: gap(bare), ours: gap(ours) }, { pairs: 3, warm: visit.first ? 4 : 2 });
  const first = `first ${loopsInRound * iterations} iterations`;
  return [
    {
      id: "P6",
      what: `gap of the tool loop, K = ${iterations}, hot, p50, ÷ floor`,
      value: ratioOf(gaps.of.ours, gaps.of.floor),
      unit: "×",
      goal: 2,
      before: "4.2 ×",
      detail: join(
        `${median(gaps.of.ours).toFixed(2)} ms, floor ${median(gaps.of.floor).toFixed(2)}`,
        gaps.note,
      ),
    },
    {
      id: "P7",
      what: "CPU of a tool iteration, hot, ÷ floor",
      value: ratioOf(hot.of.ours, hot.of.floor),
      unit: "×",
      goal: 3,
      before: "6.3 ×",
      detail: join(
        `${(median(hot.of.ours) / 1000).toFixed(2)} ms, floor ${(median(hot.of.floor) / 1000).toFixed(2)}`,
        hot.note,
      ),
      cold: `${first} ${(hot.first.ours / 1000).toFixed(1)} ms each, ${(hot.first.ours / hot.first.floor).toFixed(1)} × floor's first`,
    },
  ];
}

const [long, ends] = [200, 25];

/** P6: how the gap grows in a long loop, beside how the bare loop's grows. */
export async function longLoop(setting: Setting, { first }: Visit): Promise<Figure> {
  const { mock, floor, service } = setting;
  for (const { pid } of [floor, service]) place(pid, cores.two);
  const legs = legsOf(setting, service.port, `tools-${long}`);
  const growth = (run: () => Promise<unknown>) => async (): Promise<number> => {
    await getJson(mock.port, "/stats");
    await run();
    const { gaps } = await getJson<{ readonly gaps: readonly number[] }>(mock.port, "/stats");
    return median(gaps.slice(-ends)) / median(gaps.slice(0, ends));
  };
  const { of } = await measure(
    { floor: growth(legs.floor), ours: growth(legs.ours) },
    { least: 1, warm: first ? 2 : 1 },
  );
  const [ours, bare] = [median(of.ours), median(of.floor)];
  return {
    id: "P6",
    what: `gap, last ${ends} of ${long} ÷ first ${ends}, ÷ the same of floor`,
    value: ratioOf(of.ours, of.floor),
    unit: "×",
    goal: 1.2,
    detail: `grows to ${ours.toFixed(1)} ×, floor's to ${bare.toFixed(1)} ×`,
  };
}

const [crowd, short] = [50, 20];

/** P7n: iterations a second of fifty loops at once, on one core. */
export async function manyLoops(setting: Setting, { first }: Visit): Promise<Figure> {
  const { floor, service, files } = setting;
  for (const { pid } of [floor, service]) place(pid, cores.one);
  const model = `tools-${short}`;
  const speed = (run: () => Promise<unknown>) => async (): Promise<number> => {
    const begun = performance.now();
    await run();
    return (crowd * short * 1000) / (performance.now() - begun);
  };
  const all = () => Promise.all(Array.from({ length: crowd }, () => runService(service.port, files, model)));
  const { of, note } = await measure(
    { floor: speed(() => runFloor(floor, crowd, model)), ours: speed(all) },
    { least: 1, warm: first ? 4 : 1 },
  );
  const speeds = `${median(of.ours).toFixed(0)} a second, floor ${median(of.floor).toFixed(0)}`;
  return {
    id: "P7n",
    what: `${crowd} tool loops at once, iterations a second on one core, ÷ floor`,
    value: ratioOf(of.ours, of.floor),
    unit: "×",
    goal: 0.4,
    atLeast: true,
    detail: join(speeds, note),
  };
}

/** P10: what tool iterations leave in memory, in conversations that are over. */
export async function memoryAfterLoops({ start, files }: Setting): Promise<readonly Figure[]> {
  const service = await start("after-loops", { on: cores.two });
  await sleep(2000);
  const after: number[] = [shareOf(service.pid)];
  for (const total of [1000, 9000]) {
    await many(total / iterations, 4, () => runService(service.port, files, `tools-${iterations}`));
    await sleep(5000);
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
