import { chat, getJson, many, now } from "./client.ts";
import { cpuOf, median, type Program } from "./processes.ts";
import type { Figure } from "./report.ts";
import type { Setting } from "./setting.ts";

const ask = (model: string, stream: boolean) => ({
  model,
  messages: [{ role: "user", content: "Say hello to the bench, please." }],
  stream,
});
const pairs = 3;

/** CPU microseconds of a program for one unit of a load. */
async function cpuPer(program: Program, units: number, load: () => Promise<void>): Promise<number> {
  const pid = program.process.pid ?? 0;
  const before = cpuOf(pid);
  await load();
  return ((cpuOf(pid) - before) * 1000) / units;
}

/** Reference and service take turns; the median of the ratios of each pair. */
async function ratio(
  reference: () => Promise<number>,
  service: () => Promise<number>,
): Promise<{ readonly ratio: number; readonly detail: string }> {
  const found: { readonly ratio: number; readonly a: number; readonly b: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const [a, b] = [await reference(), await service()];
    found.push({ ratio: b / a, a, b });
  }
  const middle = found.toSorted((x, y) => x.ratio - y.ratio)[Math.floor(pairs / 2)] ?? {
    ratio: NaN,
    a: NaN,
    b: NaN,
  };
  return { ratio: middle.ratio, detail: `${middle.b.toFixed(0)} against ${middle.a.toFixed(0)} µs` };
}

export async function chatTurn({ pipe, service }: Setting): Promise<Figure> {
  const count = 600;
  const load = (port: number, path: string, model: string) => () =>
    many(count, 32, () => chat(port, path, ask(model, false)));
  await load(service.port, "/api/chat/completions", "mock/echo")();
  const { ratio: value, detail } = await ratio(
    () => cpuPer(pipe, count, load(pipe.port, "/v1/chat/completions", "echo")),
    () => cpuPer(service, count, load(service.port, "/api/chat/completions", "mock/echo")),
  );
  return {
    id: "P1",
    what: "CPU of a chat turn, everything on, ÷ raw pipe",
    value,
    unit: "×",
    goal: 3,
    detail,
  };
}

export async function firstToken({ mock, pipe, service }: Setting): Promise<Figure> {
  const times = { direct: [] as number[], pipe: [] as number[], ours: [] as number[] };
  for (let index = 0; index < 200; index++) {
    times.direct.push((await chat(mock.port, "/v1/chat/completions", ask("s-2-1", true))).first);
    times.pipe.push((await chat(pipe.port, "/v1/chat/completions", ask("s-2-1", true))).first);
    times.ours.push((await chat(service.port, "/api/chat/completions", ask("mock/s-2-1", true))).first);
  }
  const direct = median(times.direct);
  const detail = `raw pipe adds ${(median(times.pipe) - direct).toFixed(2)} ms`;
  return {
    id: "P2",
    what: "first token added, p50",
    value: median(times.ours) - direct,
    unit: "ms",
    goal: 0.5,
    detail,
  };
}

export async function relayedChunk({ pipe, service }: Setting): Promise<Figure> {
  const [streams, chunks] = [200, 100];
  const load = (port: number, path: string, model: string) => () =>
    many(streams, streams, () => chat(port, path, ask(model, true)));
  const { ratio: value, detail } = await ratio(
    () => cpuPer(pipe, streams * chunks, load(pipe.port, "/v1/chat/completions", `s-${chunks}-20`)),
    () =>
      cpuPer(service, streams * chunks, load(service.port, "/api/chat/completions", `mock/s-${chunks}-20`)),
  );
  return {
    id: "P3",
    what: "CPU of a relayed chunk, 200 streams × 50/s, ÷ raw pipe",
    value,
    unit: "×",
    goal: 1.35,
    detail,
  };
}

export async function clientGone({ mock, service }: Setting): Promise<Figure> {
  const delays: number[] = [];
  let missed = 0;
  for (let index = 0; index < 50; index++) {
    await getJson(mock.port, "/stats");
    await chat(service.port, "/api/chat/completions", ask("mock/s-1000-10", true), { leaveAfter: 3 });
    const left = now();
    await new Promise((resolve) => setTimeout(resolve, 60));
    const { aborts } = await getJson<{ readonly aborts: readonly number[] }>(mock.port, "/stats");
    if (aborts[0] === undefined) missed += 1;
    else delays.push(aborts[0] - left);
  }
  return {
    id: "P5",
    what: "client gone → upstream aborted, p50",
    value: missed > 0 ? Infinity : median(delays),
    unit: "ms",
    goal: 5,
    detail: `${50 - missed} of 50 aborted`,
  };
}
