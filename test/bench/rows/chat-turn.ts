import { bodyOf, chat, many, modelDoor, post, serviceDoor, type Door } from "../client.ts";
import { cpuOfEach, mean, measureTogether, middleOf, planOf, quiet, type Visit } from "../measure.ts";
import { cores, place } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const width = 32;
/** Turns of one program before the next has as many: no second is as fast as the next. */
const partOfRound = 100;

/**
 * P1: the CPU of a turn that is not streamed, `width` at a time. A round has as many turns as it takes for
 * each to have its share of collected garbage.
 */
export async function chatTurn({ pipe, keeper, service }: Setting, visit: Visit): Promise<Figure> {
  const turns = visit.quick ? 300 : 600;
  for (const { pid } of [pipe, keeper, service]) place(pid, cores.one);
  const doors = [modelDoor(pipe.port), modelDoor(keeper.port), serviceDoor(service.port)];
  const round = (): Promise<readonly number[]> =>
    cpuOfEach([pipe, keeper, service], turns, async () => {
      for (let done = 0; done < turns; done += partOfRound)
        for (const door of doors) await many(partOfRound, width, () => chat(door, { model: "echo" }));
    });
  const plans = { quick: { warm: 6 }, first: { least: 9, warm: 9 }, later: [3, 2] } as const;
  const { of, first } = await measureTogether(
    { names: ["pipe", "keeper", "ours"], round },
    planOf(visit, plans),
    visit,
  );
  const cold = await visit.keep(async () => first);
  const [ours, bare, pipes] = [mean(of.ours), mean(of.keeper), mean(of.pipe)];
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
  const turns = 20;
  /** The pipe takes a fortieth of the time: it sends as many for each of the service's. */
  const ofPipe = 5;
  const round = async (): Promise<readonly number[]> => {
    const [bare = NaN, ours = NaN] = await cpuOfEach([pipe, service], turns, async () => {
      for (let turn = 0; turn < turns; turn++) {
        for (let sent = 0; sent < ofPipe; sent++) await send(modelDoor(pipe.port));
        await send(serviceDoor(service.port));
      }
    });
    return [bare / ofPipe, ours];
  };
  const { of } = await measureTogether(
    { names: ["pipe", "ours"], round },
    planOf(visit, { first: { pairs: 3, least: 8, warm: 8 }, later: [3, 2] }),
    visit,
  );
  const [ours, bare] = [quiet(of.ours), quiet(of.pipe)];
  const detail = `${(ours / 1000).toFixed(1)} ms, pipe ${(bare / 1000).toFixed(2)}`;
  const what = "CPU of a request of 400 KB in 401 messages, all new, ÷ pipe";
  return { id: "P20", what, value: ours / bare, unit: "×", goal: 3, detail };
}
