import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { Answering } from "./support/answering.ts";
import { Cluster, type Blow } from "./support/cluster.ts";
import { send } from "./support/send.ts";
import { Talk } from "./support/talk.ts";

export interface StormOptions {
  readonly hosts: number;
  readonly conversations: number;
  /** How long, in milliseconds, conversations go on. */
  readonly duration: number;
  /** Milliseconds between two turns of a conversation, on average. */
  readonly think: number;
  /** The blows in turn, each against the host of that number; after the last one they begin again. */
  readonly blows: readonly (readonly [Blow, host: number])[];
  /** Milliseconds between two blows, and how long a stop or a cut lasts. */
  readonly pause: number;
  readonly length: number;
}

/** What came of it. Lists have to be empty. */
export interface StormReport {
  readonly turns: number;
  readonly acknowledged: number;
  /** How many turns were not answered, by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>;
  readonly blows: number;
  readonly approvals: number;
  /** Approvals that were answered at another host than the one that was asked to chat. */
  readonly answeredElsewhere: number;
  /** Answers that were not what the model says. */
  readonly odd: readonly string[];
  /** What was asked and what the client was given, where one of them is not in the history. */
  readonly missing: readonly string[];
  /** Calls whose effect happened more than once. */
  readonly twice: readonly string[];
  /** Runs that neither ended nor can be resumed. */
  readonly unsettled: readonly string[];
}

const open = ["queued", "running", "waiting"];

async function openRuns({ services }: Cluster): Promise<readonly string[]> {
  const found = await send(`${services[0]!.url}/api/runs?limit=1000`);
  if (found?.status !== 200) return ["the list of runs"];
  const { runs } = found.body as {
    readonly runs: readonly { readonly id: string; readonly status: string }[];
  };
  return runs.filter(({ status }) => open.includes(status)).map(({ id, status }) => `${id} ${status}`);
}

/** Waits until no run has been at work for three seconds: a host that is gone takes as long to be missed. */
async function unsettled(cluster: Cluster): Promise<readonly string[]> {
  let left: readonly string[] = [];
  let quiet = 0;
  for (let tries = 0; tries < 200 && quiet < 15; tries += 1) {
    await setTimeout(200);
    left = await openRuns(cluster);
    quiet = left.length === 0 ? quiet + 1 : 0;
  }
  return left;
}

function sumOf(maps: readonly ReadonlyMap<string, number>[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const [code, count] of maps.flatMap((map) => [...map])) sum[code] = count + (sum[code] ?? 0);
  return sum;
}

function twiceIn(file: string): readonly string[] {
  const log = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const effects = log.filter((line) => line.startsWith("effect "));
  return effects.filter((line, at) => effects.indexOf(line) !== at);
}

/**
 * Conversations with tools and approvals through a plain proxy, while hosts are struck in turn; and what can
 * be read afterwards.
 */
export async function storm(
  options: StormOptions,
  tell: (line: string) => void = () => undefined,
): Promise<StormReport> {
  const { hosts, conversations, duration, think, blows, pause, length } = options;
  const cluster = new Cluster();
  try {
    await cluster.open(hosts);
    const answering = new Answering(cluster);
    const answered = answering.go();
    const until = performance.now() + duration;
    const talks = Array.from({ length: conversations }, (_, at) => new Talk(cluster, `c${at}`, think));
    const talked = Promise.all(talks.map(async (talk) => talk.go(until)));
    let struck = 0;
    for (; performance.now() + pause < until; struck += 1) {
      await setTimeout(pause);
      const [blow, at] = blows[struck % blows.length]!;
      tell(`${blow} host ${at}`);
      await cluster.strike(blow, at, length);
    }
    await talked;
    tell("settling");
    const left = await unsettled(cluster);
    answering.end();
    await answered;
    const url = cluster.services[0]!.url;
    return {
      turns: talks.reduce((sum, { turns }) => sum + turns, 0),
      acknowledged: talks.reduce((sum, talk) => sum + talk.answered.length, 0),
      refused: sumOf(talks.map(({ refused }) => refused)),
      blows: struck,
      approvals: answering.count,
      answeredElsewhere: answering.elsewhere,
      odd: talks.flatMap(({ odd }) => odd),
      missing: (await Promise.all(talks.map(async (talk) => talk.missing(url)))).flat(),
      twice: twiceIn(path.join(cluster.directory, "effects.log")),
      unsettled: left,
    };
  } finally {
    await cluster.close();
  }
}
