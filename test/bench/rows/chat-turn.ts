import { bodyOf, chat, many, modelDoor, post, serviceDoor, type Door } from "../client.ts";
import { cpuPer, measure, median, ratioOf, planOf, type Visit } from "../measure.ts";
import { cores, place } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const width = 32;

/** P1: the CPU of a turn that is not streamed, `width` at a time. */
export async function chatTurn({ pipe, keeper, service }: Setting, visit: Visit): Promise<Figure> {
  const turns = visit.quick ? 300 : 600;
  for (const { pid } of [pipe, keeper, service]) place(pid, cores.one);
  const load = (door: Door) => () => many(turns, width, () => chat(door, { model: "echo" }));
  const legs = {
    pipe: () => cpuPer(pipe, turns, load(modelDoor(pipe.port))),
    keeper: () => cpuPer(keeper, turns, load(modelDoor(keeper.port))),
    ours: () => cpuPer(service, turns, load(serviceDoor(service.port))),
  };
  const plans = { quick: { warm: 6 }, first: { least: 10, warm: 10 }, later: { warm: 2 } };
  const { of, first, note } = await measure(legs, planOf(visit, plans));
  const detail = join(
    `${median(of.ours).toFixed(0)} µs, keeper ${median(of.keeper).toFixed(0)}, pipe ${median(of.pipe).toFixed(0)}`,
    `${ratioOf(of.ours, of.pipe).toFixed(1)} × pipe`,
    note,
  );
  const what = "CPU of a chat turn, hot, ÷ keeper";
  const cold = `first ${turns} turns ${(first.ours / 1000).toFixed(1)} ms each, ${(first.ours / first.keeper).toFixed(1)} × keeper's first`;
  const value = ratioOf(of.ours, of.keeper);
  return { id: "P1", what, value, unit: "×", goal: 4, before: "11 ×", detail, cold };
}

/** P20: a request of 400 KB, one at a time. */
export async function largeRequest({ pipe, service }: Setting, { first }: Visit): Promise<Figure> {
  for (const { pid } of [pipe, service]) place(pid, cores.one);
  const history = Array.from({ length: 400 }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${at} ${"Some words of an earlier message. ".repeat(29)}`,
  }));
  const send = (door: Door): Promise<unknown> => {
    const body = JSON.parse(bodyOf(door, { model: "echo" })) as { messages: object[] };
    body.messages.unshift(...history);
    return post(door, JSON.stringify(body));
  };
  /** The pipe takes a twentieth of the time: as much of it as is told apart. */
  const turns = { pipe: 100, ours: 20 };
  const load = (door: Door, count: number) => () => many(count, 1, () => send(door));
  const { of, note } = await measure(
    {
      pipe: () => cpuPer(pipe, turns.pipe, load(modelDoor(pipe.port), turns.pipe)),
      ours: () => cpuPer(service, turns.ours, load(serviceDoor(service.port), turns.ours)),
    },
    { warm: first ? 8 : 2 },
  );
  const times = `${(median(of.ours) / 1000).toFixed(1)} ms, pipe ${(median(of.pipe) / 1000).toFixed(2)}`;
  const what = "CPU of a request of 400 KB in 401 messages, all new, ÷ pipe";
  return { id: "P20", what, value: ratioOf(of.ours, of.pipe), unit: "×", goal: 3, detail: join(times, note) };
}
