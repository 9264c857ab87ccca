import { AppError, type ModelInfo, type Provider, type ProviderSettings } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/**
 * Milliseconds for a listing, however slow the provider; a failed one is asked for again after some seconds.
 */
const patience = 30_000;
const pause = 10_000;

interface Listed {
  readonly at: number;
  readonly models: readonly ModelInfo[];
}

/**
 * The work, or the signal's reason as soon as it aborts; the work itself goes on for those who also wait for
 * it.
 */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * What a provider lists, kept for a while and asked for once, however many wait; where that fails, the models
 * that its settings name.
 */
export class Listing {
  readonly #parts: Parts;
  readonly #settings: ProviderSettings;
  readonly #open: () => Promise<Provider>;
  #asking: Promise<readonly ModelInfo[]> | undefined;
  #listed: Listed | undefined;
  #lastError: string | null = null;
  /** A listing that was asked for before the last `refresh` is not kept. */
  #round = 0;

  constructor(parts: Parts, settings: ProviderSettings, open: () => Promise<Provider>) {
    this.#parts = parts;
    this.#settings = settings;
    this.#open = open;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** What is known without asking. */
  get known(): readonly ModelInfo[] | undefined {
    return this.#listed?.models;
  }

  /**
   * Asks unless it did so less than `providers.list_cache_seconds` ago. Rejects only when the signal aborts.
   */
  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const kept = this.#parts.preferences.get<number>("providers.list_cache_seconds") * 1000;
    if (this.#listed !== undefined && this.#parts.clock.now() - this.#listed.at < kept)
      return this.#listed.models;
    this.#asking ??= this.#ask(kept, this.#round);
    return orAbort(this.#asking, signal);
  }

  /** What was listed is asked for again. */
  refresh(): void {
    this.#round++;
    [this.#listed, this.#asking] = [undefined, undefined];
  }

  async #ask(kept: number, round: number): Promise<readonly ModelInfo[]> {
    const at = this.#parts.clock.now();
    const named = this.#settings.models.map((id) => ({ id }));
    let listed: Listed;
    try {
      const models = await (await this.#open()).listModels(AbortSignal.timeout(patience));
      this.#lastError = null;
      listed = {
        at,
        models:
          named.length === 0
            ? models
            : named.map((model) => models.find(({ id }) => id === model.id) ?? model),
      };
    } catch (error) {
      this.#lastError = AppError.is(error) ? error.message : "The listing failed; the log says why.";
      this.#parts.log.warn({ provider: this.#settings.id, error }, "listing models failed");
      listed = { at: at - kept + pause, models: named };
    }
    if (round === this.#round) [this.#listed, this.#asking] = [listed, undefined];
    return listed.models;
  }
}
