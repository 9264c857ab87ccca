import { setTimeout } from "node:timers/promises";
import type { Json } from "@pergola/sdk";
import { chatReply, mockProviderServer, temporaryFolder, type MockScript } from "@pergola/sdk/testing";
import { CuttingProxy } from "../../../plugins/storage-postgres/test/support/cutting-proxy.ts";
import { PostgresServer } from "../../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openService, type Service } from "../../faults/support/service.ts";
import { openPlainProxy, type PlainProxy } from "./plain-proxy.ts";
import type { SentMessage } from "./send.ts";

/** What is done to a host: killed and started again, stopped for a while, or cut from the database. */
export type Blow = "kill" | "stop" | "cut";

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
export class Cluster {
  readonly services: Service[] = [];
  readonly proxies: CuttingProxy[] = [];
  /** The hosts that were asked last, by conversation. */
  readonly asked = new Map<string, number>();
  readonly directory = temporaryFolder("pergola-cluster-");
  #database!: PostgresServer;
  #model!: Awaited<ReturnType<typeof mockProviderServer>>;
  #door: PlainProxy | undefined;
  #next = 0;

  /** With these settings beside its own; `hostTimeout` is in seconds. */
  async open(count: number, settings: Readonly<Record<string, Json>> = {}, hostTimeout = 3): Promise<void> {
    this.#database = await PostgresServer.start(["max_connections=120"]);
    this.#model = await mockProviderServer(script);
    for (let at = 0; at < count; at += 1) {
      const proxy = await CuttingProxy.start(this.#database.folder);
      this.proxies.push(proxy);
      this.services.push(
        await openService(undefined, {
          "providers.list": [{ type: "custom", base_url: this.#model.baseUrl, retry_count: 0 }],
          storage: { type: "postgres", url: proxy.url(), host_timeout_seconds: hostTimeout, wait_seconds: 3 },
          "workspace.shared": true,
          "runs.resume": "auto",
          "cluster.label": `host ${at}`,
          ...settings,
        }),
      );
    }
    await Promise.all(this.services.map(async (service) => service.start()));
    await this.#openDoor();
  }

  /** Each request goes to the next host. */
  async #openDoor(): Promise<void> {
    this.#door = await openPlainProxy(({ headers }) => {
      const at = this.#next++ % this.services.length;
      const conversation = headers["x-conversation"];
      if (typeof conversation === "string") this.asked.set(conversation, at);
      return this.services[at]!.url;
    });
  }

  /** The database's first process. */
  get databasePid(): number {
    return this.#database.pid;
  }

  get url(): string {
    return this.#door!.url;
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
    this.#door?.close();
    await Promise.all(this.services.map(async (service) => service.close()));
    await Promise.all(this.proxies.map(async (proxy) => proxy.stop()));
    await this.#model?.close();
    await this.#database?.stop();
  }
}
