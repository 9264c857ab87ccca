import path from "node:path";
import { fillStore, filledId } from "../../support/fill-store.ts";
import { bodyOf, now, serviceDoor } from "../client.ts";
import { measure, median, ratioOf, type Round } from "../measure.ts";
import { cores, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

/** A service whose store has so many messages in one conversation, and as many conversations. */
export async function filledService(
  { folder, start }: Setting,
  size: number,
  data = `filled-${size}`,
): Promise<Program> {
  await (await start(data)).end();
  await fillStore(path.join(folder, data), { messages: size, conversations: size });
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

/** What each action does to a service, and how long it took. */
const actions: Readonly<Record<string, (port: number) => Promise<number>>> = {
  "opening (last 50)": (port) => time(port, `/v1/conversations/${filledId(0)}?messages=false`),
  "listing (first 50)": (port) => time(port, "/v1/conversations?limit=50"),
  // Of so many messages the context window of an ordinary model leaves most out.
  "a turn, window of 32,768 tokens": (port) => {
    const more = { conversationId: filledId(0) };
    const door = serviceDoor(port);
    return time(port, door.path, bodyOf(door, { model: "small", more }));
  },
};

/** P12: with 100,000 messages and 100,000 conversations, against the same with 1,000. */
export async function largeStore(small: Program, large: Program): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [what, action] of Object.entries(actions)) {
    const { of, note } = await measure(
      { few: medianOf(() => action(small.port)), many: medianOf(() => action(large.port)) },
      { pairs: 9 },
    );
    figures.push({
      id: "P12",
      what: `${what} with 100,000 messages and conversations ÷ with 1,000`,
      value: ratioOf(of.many, of.few),
      unit: "×",
      goal: 1.3,
      detail: join(`${median(of.many).toFixed(2)} against ${median(of.few).toFixed(2)} ms`, note),
    });
  }
  return figures;
}
