import { chat, modelDoor, numbered, post, serviceDoor, type Door } from "../client.ts";
import { fillMemories } from "../fill.ts";
import { mean, measure, median, planOf, quiet, type Round, type Visit } from "../measure.ts";
import { cores, place, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";
import { fillStore, filledId } from "../../support/fill-store.ts";
import path from "node:path";

const turns = 40;
/** Where tenths of a millisecond are compared: short rounds, and many. */
const fewTurns = 25;
const model = "s-2-1";

/** The median of the times to the first text, one turn after the other. */
const firstOf =
  (send: () => Promise<{ readonly first: number }>, count = turns): Round =>
  async () => {
    const times: number[] = [];
    for (let turn = 0; turn < count; turn++) times.push((await send()).first);
    return median(times);
  };

/** P2: what the service adds to the first token, in what the pipe adds. */
export async function firstToken({ mock, pipe, service }: Setting, visit: Visit): Promise<Figure> {
  for (const { pid } of [pipe, service]) place(pid, cores.two);
  const leg = (door: Door) => firstOf(() => chat(door, { model, stream: true }), fewTurns);
  const { of } = await measure(
    {
      direct: leg(modelDoor(mock.port)),
      pipe: leg(modelDoor(pipe.port)),
      ours: leg(serviceDoor(service.port)),
    },
    planOf(visit, { first: { pairs: 15, least: 20, warm: 20 }, later: [15, 8] }),
    visit,
  );
  const added = (times: readonly number[]): number => mean(times) - mean(of.direct);
  const [ours, pipes] = [added(of.ours), added(of.pipe)];
  const middle = median(of.ours) - median(of.direct);
  const detail = `${ours.toFixed(2)} ms, pipe ${pipes.toFixed(2)}; in the middle ${middle.toFixed(2)} ms`;
  return {
    id: "P2",
    what: "added to the first token, hot, ÷ what the pipe adds",
    value: ours / pipes,
    unit: "×",
    goal: 3,
    before: "8–14 ×",
    detail,
  };
}

/** P2e: from the last text to the end of the answer. */
export async function endOfStream({ service }: Setting, visit: Visit): Promise<Figure> {
  place(service.pid, cores.two);
  const leg = (door: Door) => async (): Promise<number> => {
    const tails: number[] = [];
    for (let turn = 0; turn < fewTurns; turn++)
      tails.push((await chat(door, { model: "echo", stream: true })).tail);
    return median(tails);
  };
  const plan = planOf(visit, { first: { pairs: 12, least: 16, warm: 16 }, later: [12, 8] });
  const { of } = await measure({ ours: leg(serviceDoor(service.port)) }, plan, visit);
  return {
    id: "P2e",
    what: "last text → end of the stream, p50",
    value: quiet(of.ours),
    unit: "ms",
    goal: 1.5,
    before: "3.5–4 ms",
    detail: `in the middle ${median(of.ours).toFixed(2)}`,
  };
}

const memoryGoals = [
  [100, 8, "40 ms"],
  [1000, 12, "53 ms"],
  [10_000, 20, ""],
] as const;

/** A service with a conversation without memories, and one for each number of them. */
async function serviceWithMemories({ folder, start }: Setting): Promise<Program> {
  const data = "memories";
  await (await start(data)).end();
  const filled = path.join(folder, data);
  await fillStore(filled, { messages: 2, conversations: memoryGoals.length + 1 });
  for (const [at, [count]] of memoryGoals.entries()) await fillMemories(filled, filledId(at + 2), count);
  return start(data, { on: cores.two });
}

/** P2m: what memories in scope add to the first token. */
export async function withMemories(setting: Setting, visit: Visit): Promise<readonly Figure[]> {
  const { port } = await visit.keep(() => serviceWithMemories(setting));
  const text = "what does Greta keep, and where does Jonas live?";
  const leg = (conversation: number): Round => {
    const more = { conversationId: filledId(conversation) };
    return firstOf(() => chat(serviceDoor(port), { model, stream: true, text, more }));
  };
  const { of } = await measure(
    { none: leg(1), few: leg(2), more: leg(3), many: leg(4) },
    planOf(visit, { first: { pairs: 3, warm: 3 }, later: [3, 1] }),
    visit,
  );
  const [none, ...legs] = [of.none, of.few, of.more, of.many].map(quiet) as [number, ...number[]];
  return memoryGoals.map(([count, goal, before], at) => {
    const time = legs[at] ?? Number.NaN;
    return {
      id: "P2m",
      what: `first token with ${count.toLocaleString("en")} memories in scope, added`,
      value: time - none,
      unit: "ms",
      goal,
      before,
      from: time,
      detail: `${none.toFixed(1)} ms without`,
    };
  });
}

/** Turns of a round: fewer where each takes long. */
const turnsWith = (messages: number): number => (messages > 1000 ? 20 : turns);

/** The same turn again and again, with the history that the service sends to the model, as bytes. */
function directLeg(port: number, messages: number): Round {
  const history = Array.from({ length: messages }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `Message ${at}. ${"Some words of an ordinary message. ".repeat(10)}`,
  }));
  const door = modelDoor(port);
  return firstOf(() => {
    const asked = { role: "user", content: numbered("and now?") };
    return post(door, Buffer.from(JSON.stringify({ model, stream: true, messages: [...history, asked] })));
  }, turnsWith(messages));
}

const historyGoals = [
  [1000, 3, "13 ms"],
  [10_000, 8, "190 ms"],
] as const;

/** A conversation of so many messages, in a service of its own, with the model of a turn of it alone. */
async function historyLegs(setting: Setting, messages: number): Promise<readonly [string, Round][]> {
  const data = `history-${messages}`;
  await (await setting.start(data)).end();
  await fillStore(path.join(setting.folder, data), { messages, conversations: 1 });
  const { port } = await setting.start(data, { on: cores.two });
  const more = { conversationId: filledId(0) };
  const ours = firstOf(() => chat(serviceDoor(port), { model, stream: true, more }), turnsWith(messages));
  return [
    [`ours ${messages}`, ours],
    [`direct ${messages}`, directLeg(setting.mock.port, messages)],
  ];
}

const lengths = [10, ...historyGoals.map(([messages]) => messages)];

/**
 * P2h: what earlier messages of the conversation add to the first token, without what their transport to
 * the model costs anybody.
 */
export async function inLongConversations(setting: Setting, visit: Visit): Promise<readonly Figure[]> {
  const legs = await visit.keep(async () => {
    const found: [string, Round][] = [];
    for (const messages of lengths) found.push(...(await historyLegs(setting, messages)));
    return Object.fromEntries(found);
  });
  const { of } = await measure(legs, planOf(visit, { first: { pairs: 4, warm: 4 }, later: [4, 2] }), visit);
  const timeOf = (leg: string): number => mean(of[leg] ?? []);
  return historyGoals.map(([messages, goal, before]) => {
    const transport = timeOf(`direct ${messages}`) - timeOf("direct 10");
    return {
      id: "P2h",
      what: `first token in a conversation of ${messages.toLocaleString("en")} messages, added to one of 10`,
      value: timeOf(`ours ${messages}`) - timeOf("ours 10") - transport,
      unit: "ms",
      goal,
      before,
      from: timeOf(`ours ${messages}`),
      detail: join(
        `${timeOf("ours 10").toFixed(1)} ms with 10`,
        `their transport to the model, ${transport.toFixed(1)} ms, is taken off`,
      ),
    };
  });
}
