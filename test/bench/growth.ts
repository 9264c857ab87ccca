import path from "node:path";
import type { Conversation, Message, Storage } from "@pergola/sdk";
import { openSqlite } from "../../plugins/storage-sqlite/open-sqlite.ts";
import { openStores } from "../../core/workflow/stores.ts";
import { now } from "./client.ts";
import { median } from "./processes.ts";
import type { Figure } from "./report.ts";
import { startService, type Setting } from "./setting.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const at = (number: number): string => new Date(1_700_000_000_000 + number * 1000).toISOString();
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const conversation = (number: number, messages: number): Conversation => ({
  id: idOf(number),
  alias: null,
  title: `Conversation ${number}`,
  titleSetBy: "user",
  created: at(number),
  updated: at(number),
  messageCount: messages,
  model: null,
  settings: {},
  folderId: null,
  topicId: null,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
  workingDirectory: null,
  workspace: null,
  enabledCustomInstructionIds: [],
  nextSeq: messages + 1,
});

const message = (owner: number, seq: number): Message => ({
  id: `${idOf(owner)}-${seq}`,
  conversationId: idOf(owner),
  seq,
  role: seq % 2 === 1 ? "user" : "assistant",
  type: seq % 2 === 1 ? "user" : "assistant",
  content: `Message ${seq}. ${"Some words of an ordinary message. ".repeat(10)}`,
  timestamp: at(seq),
  runId: null,
  visible: true,
});

/** A store with one conversation of `size` messages, and `size` conversations. */
async function fill(dataDirectory: string, size: number): Promise<void> {
  const storage: Storage = await openSqlite({ durability: "process" }, { dataDirectory, log });
  const { commit } = openStores(storage);
  for (let from = 0; from < size; from += 1000) {
    const count = Math.min(1000, size - from);
    const numbers = Array.from({ length: count }, (_, index) => from + index + 1);
    await commit(numbers.map((seq) => ({ collection: "messages", put: message(0, seq) })));
    await commit(numbers.map((number) => ({ collection: "conversations", put: conversation(number, 0) })));
  }
  await commit([{ collection: "conversations", put: conversation(0, size) }]);
  await storage.close();
}

async function time(port: number, route: string, body?: object): Promise<number> {
  const begun = now();
  const answer = await fetch(
    `http://127.0.0.1:${port}${route}`,
    body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  await answer.text();
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
  return now() - begun;
}

/** Opening, listing and continuing with 100,000 messages and conversations, against the same with 1,000; the two take turns. */
export async function growth({ folder, mock }: Setting): Promise<readonly Figure[]> {
  const [small, large] = [path.join(folder, "small"), path.join(folder, "large")];
  const services = [];
  for (const [data, size] of [
    [small, 1000],
    [large, 100_000],
  ] as const) {
    const service = await startService(data, mock.port);
    await service.end();
    await fill(data, size);
    services.push(await startService(data, mock.port));
  }
  const actions = {
    "open (last 50)": (port: number) => time(port, `/v1/conversations/${idOf(0)}?messages=false`),
    "list (first 50)": (port: number) => time(port, "/v1/conversations?limit=50"),
    continue: (port: number) =>
      time(port, "/api/chat/completions", {
        model: "mock/echo",
        conversationId: idOf(0),
        messages: [{ role: "user", content: "And now?" }],
      }),
  };
  const figures: Figure[] = [];
  for (const [what, action] of Object.entries(actions)) {
    const times: number[][] = [[], []];
    for (let turn = 0; turn < 30; turn++) for (const [index, { port }] of services.entries()) times[index]?.push(await action(port));
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
