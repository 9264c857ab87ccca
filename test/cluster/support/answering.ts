import { setTimeout } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { send } from "./send.ts";

interface WireQuestion {
  readonly toolCallId: string;
  readonly conversationId: string;
}

/** Answers every question, each at the host whose turn it is. */
export class Answering {
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
