import { AppError, type ModelInfo, type Provider, type ProviderSettings } from "@pergola/sdk";
import { chooseModels, untilAborted } from "@pergola/kit-provider";
import type { Parts } from "@pergola/sdk/host";

/** Milliseconds for a listing. */
const timeout = 30_000;

/** Milliseconds after which a failed listing is tried again. */
const retryDelay = 10_000;

interface Listed {
  readonly at: number;
  readonly models: readonly ModelInfo[];
}

/**
 * What a provider lists, kept for a while and asked for once, however many wait; where that fails, the models
 * that its settings name.
 */
export class Listing {
  readonly #parts: Parts;
  readonly #settings: ProviderSettings;
  readonly #open: () => Promise<Provider>;
  readonly #changed: () => void;
  #asking: Promise<readonly ModelInfo[]> | undefined;
  #listed: Listed | undefined;
  #lastError: string | null = null;
  /** A listing that was asked for before the last `refresh` is not kept. */
  #round = 0;

  /** `changed` is called after each listing. */
  constructor(
    parts: Parts,
    settings: ProviderSettings,
    open: () => Promise<Provider>,
    changed: () => void = () => undefined,
  ) {
    this.#parts = parts;
    this.#settings = settings;
    this.#open = open;
    this.#changed = changed;
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
    const lifetime = this.#parts.preferences.get<number>("providers.list_cache_seconds") * 1000;
    if (this.#listed !== undefined && this.#parts.clock.now() - this.#listed.at < lifetime)
      return this.#listed.models;
    this.#asking ??= this.#ask(lifetime, this.#round);
    return untilAborted(this.#asking, signal);
  }

  /** What was listed by another hand just now. */
  note(models: readonly ModelInfo[]): void {
    this.#round++;
    this.#lastError = null;
    this.#listed = { at: this.#parts.clock.now(), models };
    this.#asking = undefined;
    this.#changed();
  }

  /** What was listed is asked for again. */
  refresh(): void {
    this.#round++;
    this.#listed = undefined;
    this.#asking = undefined;
  }

  async #ask(lifetime: number, round: number): Promise<readonly ModelInfo[]> {
    const at = this.#parts.clock.now();
    let listed: Listed;
    try {
      const models = await (await this.#open()).listModels(AbortSignal.timeout(timeout));
      this.#lastError = null;
      listed = { at, models: chooseModels(this.#settings.models, models) };
    } catch (error) {
      this.#lastError = "The listing failed; the log says why.";
      if (AppError.is(error)) this.#lastError = error.message;
      this.#parts.log.warn({ provider: this.#settings.id, error }, "listing models failed");
      listed = { at: at - lifetime + retryDelay, models: this.#settings.models.map((id) => ({ id })) };
    }
    if (round === this.#round) {
      this.#listed = listed;
      this.#asking = undefined;
    }
    this.#changed();
    return listed.models;
  }
}
