import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { fillStore, filledId } from "../../support/fill-store.ts";
import { bodyOf, now, serviceDoor } from "../client.ts";
import { measure, mean, median, middleOf, planOf, type Round, type Visit } from "../measure.ts";
import { cores, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

/** A service whose store has so many messages in one conversation, and as many conversations. */
export async function filledService(
  { folder, start }: Setting,
  size: number,
  data = `filled-${size}`,
): Promise<Program> {
  const template = `template-${size}`;
  if (!existsSync(path.join(folder, template))) {
    await (await start(template)).end();
    await fillStore(path.join(folder, template), { messages: size, conversations: size });
  }
  cpSync(path.join(folder, template), path.join(folder, data), { recursive: true });
  return start(data, { on: cores.two });
}

async function time(port: number, route: string, body?: string): Promise<number> {
  const begun = now();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(
    `http://127.0.0.1:${port}${route}`,
    body === undefined ? {} : { method: "POST", headers, body },
  );
  await answer.text();
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
  return now() - begun;
}

const medianOf =
  (action: () => Promise<number>): Round =>
  async () => {
    const times: number[] = [];
    for (let turn = 0; turn < 40; turn++) times.push(await action());
    return median(times);
  };

interface Action {
  readonly what: string;
  /** Does it, and has the milliseconds that it took. */
  readonly run: (port: number) => Promise<number>;
  /** Pairs of rounds of each visit. */
  readonly pairs: number;
}

const actions: readonly Action[] = [
  {
    what: "opening (last 50)",
    run: (port) => time(port, `/v1/conversations/${filledId(0)}?messages=false`),
    pairs: 15,
  },
  { what: "listing (first 50)", run: (port) => time(port, "/v1/conversations?limit=50"), pairs: 15 },
  {
    // Of so many messages the context window of an ordinary model leaves most out.
    what: "a turn, window of 32,768 tokens",
    run: (port) => {
      const more = { conversationId: filledId(0) };
      const door = serviceDoor(port);
      return time(port, door.path, bodyOf(door, { model: "small", more }));
    },
    pairs: 4,
  },
];

/** P12: with 100,000 messages and 100,000 conversations, against the same with 1,000. */
export async function largeStore(setting: Setting, visit: Visit): Promise<readonly Figure[]> {
  const [small, large] = await visit.keep(
    async () => [await filledService(setting, 1000), await filledService(setting, 100_000)] as const,
  );
  const figures: Figure[] = [];
  for (const { what, run, pairs } of actions) {
    const legs = { few: medianOf(() => run(small.port)), many: medianOf(() => run(large.port)) };
    const { of } = await measure(legs, planOf(visit, { first: { pairs }, later: [pairs, 2] }), visit, what);
    const [few, many] = [mean(of.few), mean(of.many)];
    figures.push({
      id: "P12",
      what: `${what} with 100,000 messages and conversations ÷ with 1,000`,
      value: many / few,
      unit: "×",
      goal: 1.3,
      detail: join(`${many.toFixed(2)} against ${few.toFixed(2)} ms`, middleOf(of.many, of.few)),
    });
  }
  return figures;
}
