import { bodyOf, chat, many, modelDoor, post, serviceDoor, type Door } from "../client.ts";
import { cpuPer, measure, median, middleOf, planOf, quiet, type Visit } from "../measure.ts";
import { cores, place } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const width = 32;

/**
 * P1: the CPU of a turn that is not streamed, `width` at a time. A round has as many turns as it takes for
 * each to have its share of collected garbage.
 */
export async function chatTurn({ pipe, keeper, service }: Setting, visit: Visit): Promise<Figure> {
  const turns = visit.quick ? 300 : 600;
  for (const { pid } of [pipe, keeper, service]) place(pid, cores.one);
  const load = (door: Door) => () => many(turns, width, () => chat(door, { model: "echo" }));
  const legs = {
    pipe: () => cpuPer(pipe, turns, load(modelDoor(pipe.port))),
    keeper: () => cpuPer(keeper, turns, load(modelDoor(keeper.port))),
    ours: () => cpuPer(service, turns, load(serviceDoor(service.port))),
  };
  const plans = { quick: { warm: 6 }, first: { least: 9, warm: 9 }, later: [3, 2] } as const;
  const { of, first } = await measure(legs, planOf(visit, plans), visit);
  const cold = await visit.keep(async () => first);
  const [ours, bare, pipes] = [quiet(of.ours), quiet(of.keeper), quiet(of.pipe)];
  const detail = join(
    `${ours.toFixed(0)} µs, keeper ${bare.toFixed(0)}, pipe ${pipes.toFixed(0)}`,
    `${(ours / pipes).toFixed(1)} × pipe`,
    middleOf(of.ours, of.keeper),
  );
  const what = "CPU of a chat turn, hot, ÷ keeper";
  const begun = `first ${turns} turns ${(cold.ours / 1000).toFixed(1)} ms each, ${(cold.ours / cold.keeper).toFixed(1)} × keeper's first`;
  return { id: "P1", what, value: ours / bare, unit: "×", goal: 4, before: "11 ×", detail, cold: begun };
}

/** P20: a request of 400 KB, one at a time. */
export async function largeRequest({ pipe, start }: Setting, visit: Visit): Promise<Figure> {
  // One of its own, which is paused while other rows run: five seconds later it would index all of this.
  const service = await visit.keep(() => start("large-requests"));
  place(pipe.pid, cores.one);
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
  const { of } = await measure(
    {
      pipe: () => cpuPer(pipe, turns.pipe, load(modelDoor(pipe.port), turns.pipe)),
      ours: () => cpuPer(service, turns.ours, load(serviceDoor(service.port), turns.ours)),
    },
    planOf(visit, { first: { pairs: 3, least: 8, warm: 8 }, later: [3, 2] }),
    visit,
  );
  // The pipe takes half a millisecond in most rounds and .3 in some: their middle repeats better.
  const [ours, bare] = [median(of.ours), median(of.pipe)];
  const detail = `${(ours / 1000).toFixed(1)} ms, pipe ${(bare / 1000).toFixed(2)}`;
  const what = "CPU of a request of 400 KB in 401 messages, all new, ÷ pipe";
  return { id: "P20", what, value: ours / bare, unit: "×", goal: 3, detail };
}
