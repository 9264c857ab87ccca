import { createServer, request as ask, type Server } from "node:http";
import { once } from "node:events";
import { readFileSync, existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { chatReply, mockProviderServer, temporaryFolder, type MockScript } from "@pergola/sdk/testing";
import { CuttingProxy } from "../../plugins/storage-postgres/test/support/cutting-proxy.ts";
import { PostgresServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openService, type Service } from "../faults/support/service.ts";

/** What is done to a host: killed and started again, stopped for a while, or cut from the database. */
export type Blow = "kill" | "stop" | "cut";

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
  /** Turns that a client was given an answer to, and that are not in the history. */
  readonly missing: readonly string[];
  /** Calls whose effect happened more than once. */
  readonly twice: readonly string[];
  /** Runs that neither ended nor can be resumed. */
  readonly unsettled: readonly string[];
}

interface SentMessage {
  readonly role: string;
  readonly content: unknown;
}

/** Every third turn needs an approval, every third has an effect without one, the others call no tool. */
const script: MockScript = ({ body }) => {
  const { messages } = body as { readonly messages: readonly SentMessage[] };
  const last = messages.findLast(({ role }) => role === "user");
  // Turns that got no answer stand in one message with the next one.
  const [text = "", digits] = [...String(last?.content).matchAll(/mark \S+ (\d+)/g)].at(-1) ?? [];
  const number = Number(digits);
  const answer = chatReply({ text: `ok ${text}` });
  if (messages.at(-1)?.role === "tool" || number % 3 === 0) return answer;
  const operation = number % 3 === 1 ? "ask" : "once";
  return chatReply({ toolCalls: [{ name: "effects", arguments: { operation, before: 5, after: 5 } }] });
};

/** Several hosts as processes of their own, each with its own way to the one database. */
class Cluster {
  readonly services: Service[] = [];
  readonly proxies: CuttingProxy[] = [];
  /** The hosts that were asked last, by conversation. */
  readonly asked = new Map<string, number>();
  readonly directory = temporaryFolder("pergola-cluster-");
  #database!: PostgresServer;
  #model!: Awaited<ReturnType<typeof mockProviderServer>>;
  #door: Server | undefined;
  #next = 0;

  async open(count: number): Promise<void> {
    this.#database = await PostgresServer.start(["max_connections=120"]);
    this.#model = await mockProviderServer(script);
    for (let at = 0; at < count; at += 1) {
      const proxy = await CuttingProxy.start(this.#database.folder);
      this.proxies.push(proxy);
      this.services.push(
        await openService(undefined, {
          "providers.list": [{ type: "custom", base_url: this.#model.baseUrl, retry_count: 0 }],
          storage: { type: "postgres", url: proxy.url(), host_timeout_seconds: 3, wait_seconds: 3 },
          "workspace.shared": true,
          "runs.resume": "auto",
          "cluster.label": `host ${at}`,
        }),
      );
    }
    await Promise.all(this.services.map(async (service) => service.start()));
    await this.#openDoor();
  }

  /** A plain proxy: each request goes to the next host, whether it is well or not. */
  async #openDoor(): Promise<void> {
    this.#door = createServer((incoming, outgoing) => {
      const at = this.#next++ % this.services.length;
      const conversation = incoming.headers["x-conversation"];
      if (typeof conversation === "string") this.asked.set(conversation, at);
      const target = new URL(incoming.url ?? "/", this.services[at]!.url);
      const headers = { ...incoming.headers, host: target.host };
      const forward = ask(target, { method: incoming.method, headers, agent: false }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      });
      forward.on("error", () => outgoing.destroy());
      outgoing.on("close", () => forward.destroy());
      incoming.pipe(forward);
    }).listen(0, "127.0.0.1");
    await once(this.#door, "listening");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#door!.address() as AddressInfo).port}`;
  }

  async strike(blow: Blow, at: number, length: number): Promise<void> {
    const service = this.services[at]!;
    if (blow === "kill") return service.restart();
    if (blow === "cut") {
      this.proxies[at]!.freeze(true);
      await setTimeout(length);
      return this.proxies[at]!.freeze(false);
    }
    service.program.child.kill("SIGSTOP");
    await setTimeout(length);
    service.program.child.kill("SIGCONT");
  }

  async close(): Promise<void> {
    this.#door?.closeAllConnections();
    this.#door?.close();
    await Promise.all(this.services.map(async (service) => service.close()));
    await Promise.all(this.proxies.map(async (proxy) => proxy.stop()));
    await this.#model.close();
    await this.#database.stop();
  }
}

interface Answer {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number;
  readonly body: unknown;
}

/** Undefined where no answer came. */
async function send(
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    const retryAfter = Number(answer.headers.get("retry-after"));
    return { status: answer.status, retryAfter, body: await answer.json() };
  } catch {
    return undefined;
  }
}

/** The turns of a conversation, one after the other; those that were answered. */
class Talk {
  readonly id: string;
  readonly answered: string[] = [];
  readonly refused = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #think: number;
  turns = 0;

  constructor(cluster: Cluster, id: string, think: number) {
    this.#cluster = cluster;
    this.#think = think;
    this.id = id;
  }

  async go(until: number): Promise<void> {
    while (performance.now() < until) {
      const text = `mark ${this.id} ${this.turns++}`;
      const { directory: workingDirectory, url } = this.#cluster;
      const body = {
        model: "default",
        conversationId: this.id,
        messages: [{ role: "user", content: text }],
        service_config: { working_directory: workingDirectory },
      };
      const answer = await send(`${url}/api/chat/completions`, body, { "x-conversation": this.id });
      if (answer?.status === 200) this.answered.push(text);
      else await this.#refuse(answer);
      await setTimeout(2 * Math.random() * this.#think);
    }
  }

  async #refuse(answer: Answer | undefined): Promise<void> {
    const { error } = (answer?.body ?? {}) as { readonly error?: { readonly code: string } };
    const code = error?.code ?? "no answer";
    this.refused.set(code, 1 + (this.refused.get(code) ?? 0));
    await setTimeout(Math.max(200, 1000 * (answer?.retryAfter ?? 0)));
  }

  /** Answered turns that are not in the history. */
  async missing(url: string): Promise<readonly string[]> {
    if (this.answered.length === 0) return [];
    const answer = await send(`${url}/v1/conversations/${this.id}`);
    const { messages } = answer!.body as { readonly messages: readonly SentMessage[] };
    const said = new Set(messages.map(({ content }) => content));
    return this.answered.filter((text) => !said.has(text) || !said.has(`ok ${text}`));
  }
}

interface WireQuestion {
  readonly toolCallId: string;
  readonly conversationId: string;
}

/** Answers every question, each at the host whose turn it is. */
class Answering {
  count = 0;
  elsewhere = 0;
  readonly #cluster: Cluster;
  readonly #aliases = new Map<string, string>();
  #isOver = false;
  #turn = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async go(): Promise<void> {
    while (!this.#isOver) {
      const { services } = this.#cluster;
      const at = this.#turn++ % services.length;
      const found = await send(`${services[at]!.url}/api/approvals`);
      const { approvals = [] } = (found?.body ?? {}) as { readonly approvals?: readonly WireQuestion[] };
      await Promise.all(approvals.map(async (question) => this.#answer(question, at)));
      await setTimeout(100);
    }
  }

  async #answer({ toolCallId, conversationId }: WireQuestion, at: number): Promise<void> {
    const { services, asked } = this.#cluster;
    const body = { toolCallId, approved: true };
    const answer = await send(`${services[at]!.url}/api/chat/tool-response`, body);
    if (answer?.status !== 200) return;
    this.count += 1;
    const alias = this.#aliases.get(conversationId) ?? (await this.#aliasOf(conversationId, at));
    if (alias !== undefined && asked.get(alias) !== at) this.elsewhere += 1;
  }

  async #aliasOf(id: string, at: number): Promise<string | undefined> {
    const found = await send(`${this.#cluster.services[at]!.url}/v1/conversations/${id}`);
    const { alias } = (found?.body ?? {}) as { readonly alias?: string };
    if (alias !== undefined) this.#aliases.set(id, alias);
    return alias;
  }

  end(): void {
    this.#isOver = true;
  }
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
      missing: (await Promise.all(talks.map(async (talk) => talk.missing(url)))).flat(),
      twice: twiceIn(path.join(cluster.directory, "effects.log")),
      unsettled: left,
    };
  } finally {
    await cluster.close();
  }
}
