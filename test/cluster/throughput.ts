import { setTimeout } from "node:timers/promises";
import { chatReply, mockProviderServer } from "@pergola/sdk/testing";
import { cpuOf } from "../bench/processes.ts";
import { openService } from "../faults/support/service.ts";
import { Cluster } from "./support/cluster.ts";
import { send } from "./support/send.ts";

/** Turns that are measured, those before them, and how many of them are on their way at the same time. */
const [turns, warm, width] = [400, 200, 16];
/** Turns one after the other, whose time is that of a turn. */
const alone = 100;

/** Milliseconds between two turns of a person, on average, and for which they are watched. */
const [think, watched] = [10_000, 15_000];
/** How many people there are at the same time. */
export const crowds = [300, 600] as const;

/** What hosts and their database took. */
export interface Throughput {
  readonly hosts: number;
  readonly storage: "sqlite" | "postgres";
  readonly turnsPerSecond: number;
  /** Milliseconds of the middle one of turns that come one after the other. */
  readonly turn: number;
  /** Milliseconds of CPU for a turn: of the hosts together, and of the database. */
  readonly cpuOfHosts: number;
  readonly cpuOfDatabase: number;
  /** Milliseconds that 95 of 100 answers take at most, by how many people there are. */
  readonly crowds: readonly number[];
}

interface Target {
  readonly url: string;
  readonly hosts: readonly number[];
  readonly database?: number;
}

async function ask(url: string, id: string): Promise<void> {
  const messages = [{ role: "user", content: `mark ${id} 0` }];
  const body = { model: "default", conversation_id: id, messages };
  const answer = await send(`${url}/v1/chat/completions`, body, {}, 60_000);
  if (answer?.status !== 200) throw new Error(`A turn was answered ${JSON.stringify(answer)}`);
}

async function askAll(url: string, name: string, count: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await ask(url, `${name}${next++}`);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

async function measure({ url, hosts, database = 0 }: Target): Promise<Omit<Throughput, "hosts" | "storage">> {
  await askAll(url, "warm", warm);
  const cpu = (): readonly [number, number] => [sumOf(hosts.map(cpuOf)), database > 0 ? cpuOf(database) : 0];
  const [hostsBefore, databaseBefore] = cpu();
  const begun = performance.now();
  await askAll(url, "turn", turns);
  const seconds = (performance.now() - begun) / 1000;
  const [hostsAfter, databaseAfter] = cpu();
  const times: number[] = [];
  for (let number = 0; number < alone; number += 1) {
    const start = performance.now();
    await ask(url, `alone${number}`);
    times.push(performance.now() - start);
  }
  const p95: number[] = [];
  for (const people of crowds) p95.push(await measureCrowd(url, people));
  return {
    crowds: p95,
    turnsPerSecond: turns / seconds,
    turn: times.toSorted((a, b) => a - b)[alone / 2] ?? 0,
    cpuOfHosts: (hostsAfter - hostsBefore) / turns,
    cpuOfDatabase: (databaseAfter - databaseBefore) / turns,
  };
}

/** People who each write, wait for the answer and think; how long 95 of 100 answers took at most, in ms. */
async function measureCrowd(url: string, people: number): Promise<number> {
  const times: number[] = [];
  const until = performance.now() + watched;
  const pause = (): Promise<void> => setTimeout(2 * Math.random() * think);
  const person = async (_: unknown, number: number): Promise<void> => {
    for (await pause(); performance.now() < until; await pause()) {
      const start = performance.now();
      await ask(url, `crowd${people}-${number}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: people }, person));
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}

async function withSqlite(): Promise<Throughput> {
  const model = await mockProviderServer(({ body }) => {
    const { messages } = body as { readonly messages: readonly { readonly content: unknown }[] };
    return chatReply({ text: `ok ${String(messages.at(-1)?.content)}` });
  });
  const service = await openService(undefined, {
    "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
  });
  try {
    await service.start();
    const found = await measure({ url: service.url, hosts: [service.program.child.pid ?? 0] });
    return { hosts: 1, storage: "sqlite", ...found };
  } finally {
    await service.close();
    await model.close();
  }
}

async function withHosts(count: number): Promise<Throughput> {
  const cluster = new Cluster();
  try {
    await cluster.open(count);
    const hosts = cluster.services.map(({ program }) => program.child.pid ?? 0);
    const found = await measure({ url: cluster.url, hosts, database: cluster.databasePid });
    return { hosts: count, storage: "postgres", ...found };
  } finally {
    await cluster.close();
  }
}

/** One host with SQLite, then one to three with PostgreSQL, all on this computer; tells of each. */
export async function measureThroughput(tell: (line: string) => void): Promise<readonly Throughput[]> {
  const found: Throughput[] = [];
  const measures = [withSqlite, ...[1, 2, 3].map((count) => () => withHosts(count))];
  for (const one of measures) {
    found.push(await one());
    tell(JSON.stringify(found.at(-1)));
  }
  return found;
}
