import { setTimeout } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { send, type Answer, type SentMessage } from "./send.ts";

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

/** The turns of a conversation, one after the other. */
export class Talk {
  readonly id: string;
  /** What was asked, and what the client was given. */
  readonly answered: (readonly [asked: string, given: string])[] = [];
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
      const given =
        answer?.status === 200 ? (answer.body as Completion).choices[0]?.message.content : undefined;
      if (given !== undefined) this.answered.push([text, given]);
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

  /** Answers that were not what the model says. */
  get odd(): readonly string[] {
    const found = this.answered.filter(([asked, given]) => given !== `ok ${asked}`);
    return found.map(([asked, given]) => `${asked}: ${given}`);
  }

  /** Answered turns that are not in the history, and whether they are in another branch. */
  async missing(url: string): Promise<readonly string[]> {
    if (this.answered.length === 0) return [];
    const here = `${url}/v1/conversations/${this.id}`;
    const said = await this.#said(here);
    const lost = this.answered.filter((turn) => turn.some((text) => !said.has(text)));
    if (lost.length === 0) return [];
    const inAll = await this.#said(`${here}?view=all`);
    const where = (text: string): string => {
      if (said.has(text)) return "";
      return inAll.has(text) ? " (in another branch)" : " (not there)";
    };
    return lost.map((turn) => turn.map((text) => `${text}${where(text)}`).join(": "));
  }

  async #said(url: string): Promise<ReadonlySet<unknown>> {
    const answer = await send(url);
    const { messages } = answer!.body as { readonly messages: readonly SentMessage[] };
    return new Set(messages.map(({ content }) => content));
  }
}
