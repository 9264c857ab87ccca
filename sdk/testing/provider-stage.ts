import type { ModelCall, ModelEvent, ModelInfo, Provider } from "@pergola/sdk";
import { within } from "./conformance/rule.ts";
import type { ScriptTurn } from "./script.ts";

/** What a bench can make a provider's source play. */
export type ProviderAbility = "text" | "tools" | "reasoning" | "usage" | "errors" | "hang";

/** A provider under test, and the source behind it. */
export interface ProviderBench {
  readonly provider: Provider;
  /** Resolves once the source has got the call. Absent where there is no connection. */
  readonly requestReceived?: () => Promise<unknown>;
  /** Resolves once the source has seen that its caller went away. Absent where there is no connection. */
  readonly connectionClosed?: () => Promise<unknown>;
  close?(): Promise<void>;
}

/** Opens a provider whose source answers each call with `turn`, said in the source's own format. */
export type OpenProvider = (turn: ScriptTurn) => Promise<ProviderBench>;

const never = (): AbortSignal => new AbortController().signal;

/** Fails a test instead of letting it hang. */
export const withinOneSecond = <T>(promise: Promise<T>, what: string): Promise<T> =>
  within(1000, promise, what);

/** One suite's bench: opened by a test for a turn, closed after it. */
export class ProviderStage {
  readonly #open: OpenProvider;
  readonly #call: ModelCall;
  #bench: ProviderBench | undefined;

  constructor(open: OpenProvider, model: string) {
    this.#open = open;
    this.#call = { model, messages: [{ role: "user", content: "Hello" }], tools: [], sampling: {} };
  }

  async play(turn: ScriptTurn, signal: AbortSignal = never()): Promise<AsyncIterable<ModelEvent>> {
    this.#bench = await this.#open(turn);
    return this.#bench.provider.stream(this.#call, signal);
  }

  /** Whether there is a connection to the source of the provider that has played last. */
  get isConnected(): boolean {
    return this.#bench?.requestReceived !== undefined;
  }

  /** Another call of the provider that has played last. */
  again(): AsyncIterable<ModelEvent> {
    if (this.#bench === undefined) throw new Error("Nothing has been played.");
    return this.#bench.provider.stream(this.#call, never());
  }

  async models(): Promise<readonly ModelInfo[]> {
    this.#bench = await this.#open({ text: "Hello" });
    return this.#bench.provider.listModels(never());
  }

  async requestReceived(): Promise<void> {
    const received = this.#bench?.requestReceived;
    if (received !== undefined) await withinOneSecond(received(), "Until the source had got the request, it");
  }

  async connectionClosed(): Promise<void> {
    const closed = this.#bench?.connectionClosed;
    if (closed !== undefined)
      await withinOneSecond(closed(), "Until the source saw that its caller had gone, it");
  }

  async close(): Promise<void> {
    await this.#bench?.provider.close?.();
    await this.#bench?.close?.();
    this.#bench = undefined;
  }
}
