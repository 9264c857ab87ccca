import path from "node:path";
import { fillStore, filledId } from "../support/fill-store.ts";
import { now } from "./client.ts";
import { median } from "./processes.ts";
import type { Figure } from "./report.ts";
import { startService, type Setting } from "./setting.ts";

async function time(port: number, route: string, body?: object): Promise<number> {
  const begun = now();
  const answer = await fetch(
    `http://127.0.0.1:${port}${route}`,
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  await answer.text();
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
  return now() - begun;
}

/**
 * Opening, listing and continuing with 100,000 messages and conversations, against the same with 1,000; the
 * two take turns.
 */
export async function growth({ folder, mock }: Setting): Promise<readonly Figure[]> {
  const [small, large] = [path.join(folder, "small"), path.join(folder, "large")];
  const services = [];
  for (const [data, size] of [
    [small, 1000],
    [large, 100_000],
  ] as const) {
    const service = await startService(data, mock.port);
    await service.end();
    await fillStore(data, { messages: size, conversations: size });
    services.push(await startService(data, mock.port));
  }
  const actions = {
    "open (last 50)": (port: number) => time(port, `/v1/conversations/${filledId(0)}?messages=false`),
    "list (first 50)": (port: number) => time(port, "/v1/conversations?limit=50"),
    continue: (port: number) =>
      time(port, "/api/chat/completions", {
        model: "mock/echo",
        conversationId: filledId(0),
        messages: [{ role: "user", content: "And now?" }],
      }),
  };
  const figures: Figure[] = [];
  for (const [what, action] of Object.entries(actions)) {
    const times: number[][] = [[], []];
    for (let turn = 0; turn < 30; turn++)
      for (const [index, { port }] of services.entries()) times[index]?.push(await action(port));
    const [few = NaN, many = NaN] = times.map((list) => median(list.slice(5)));
    figures.push({
      id: "P12",
      what: `${what}: 100,000 ÷ 1,000`,
      value: many / few,
      unit: "×",
      goal: 1.3,
      detail: `${many.toFixed(2)} against ${few.toFixed(2)} ms`,
    });
  }
  await Promise.all(services.map((service) => service.end()));
  return figures;
}
