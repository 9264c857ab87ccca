import { chat, getJson } from "./client.ts";
import { cpuOf, median } from "./processes.ts";
import type { Figure } from "./report.ts";
import type { Setting } from "./setting.ts";

const iterations = 50;

interface Leg {
  /** Milliseconds from the end of the model's reply to the next request, p50. */
  readonly gap: number;
  /** CPU milliseconds of one iteration. */
  readonly cpu: number;
}

async function leg({ mock }: Setting, pid: number, run: () => Promise<unknown>): Promise<Leg> {
  await getJson(mock.port, "/stats");
  const before = cpuOf(pid);
  await run();
  const cpu = (cpuOf(pid) - before) / iterations;
  const { gaps } = await getJson<{ readonly gaps: readonly number[] }>(mock.port, "/stats");
  return { gap: median(gaps), cpu };
}

/**
 * The gap between two model calls and the CPU of an iteration, against the bare loop; reference and service
 * take turns.
 */
export async function toolLoop(setting: Setting): Promise<readonly Figure[]> {
  const { floor, service, files } = setting;
  const model = `tools-${iterations}`;
  const runFloor = () => {
    floor.process.stdin.write(`${model}\n`);
    return floor.line();
  };
  const body = {
    model: `mock/${model}`,
    messages: [{ role: "user", content: "read the files" }],
    stream: true,
    service_config: { working_directory: files },
  };
  const runService = () => chat(service.port, "/api/chat/completions", body);
  const pairs: { readonly floor: Leg; readonly ours: Leg }[] = [];
  for (let pair = 0; pair < 6; pair++) {
    const found = {
      floor: await leg(setting, floor.process.pid ?? 0, runFloor),
      ours: await leg(setting, service.process.pid ?? 0, runService),
    };
    if (pair > 0) pairs.push(found);
  }
  const of = (pick: (one: Leg) => number) => median(pairs.map((pair) => pick(pair.ours) / pick(pair.floor)));
  const show = (pick: (one: Leg) => number) =>
    `${median(pairs.map((pair) => pick(pair.ours))).toFixed(2)} against ${median(pairs.map((pair) => pick(pair.floor))).toFixed(2)} ms`;
  return [
    {
      id: "P6",
      what: "gap of the tool loop, K = 50, ÷ bare loop with store",
      value: of(({ gap }) => gap),
      unit: "×",
      goal: 1.7,
      detail: show(({ gap }) => gap),
    },
    {
      id: "P7",
      what: "CPU of a tool iteration ÷ bare loop with store",
      value: of(({ cpu }) => cpu),
      unit: "×",
      goal: 2,
      detail: show(({ cpu }) => cpu),
    },
  ];
}
