import { AppError, type Log } from "@pergola/sdk";
import type { ProviderInstance } from "./provider-instance.ts";

/** A call in progress, with the model that is asked at the moment. */
export interface Asked {
  modelId: string;
  instance?: ProviderInstance;
}

/** The providers that are asked, and those that are not any more but still have an answer to end. */
export class ProvidersInUse {
  readonly #log: Log;
  readonly #calls = new Set<Asked>();
  readonly #retired = new Set<ProviderInstance>();
  #all: readonly ProviderInstance[];

  constructor(instances: readonly ProviderInstance[], log: Log) {
    this.#all = instances;
    this.#log = log;
  }

  get all(): readonly ProviderInstance[] {
    return this.#all;
  }

  get enabled(): readonly ProviderInstance[] {
    return this.#all.filter(({ settings }) => settings.enabled);
  }

  /** Throws `not_found`. */
  byId(id: string): ProviderInstance {
    const instance = this.#all.find(({ settings }) => settings.id === id);
    if (instance !== undefined) return instance;
    throw new AppError({
      code: "not_found",
      message: `There is no provider "${id}". GET /api/providers lists them.`,
    });
  }

  /**
   * From now on these are the providers. Those that are not among them any more are closed once their last
   * answer has ended.
   */
  replace(instances: readonly ProviderInstance[]): void {
    for (const instance of this.#all) if (!instances.includes(instance)) this.#retired.add(instance);
    this.#all = instances;
    this.#closeRetired();
  }

  begin(): Asked {
    const call: Asked = { modelId: "" };
    this.#calls.add(call);
    return call;
  }

  end(call: Asked): void {
    this.#calls.delete(call);
    this.#closeRetired();
  }

  lists(modelId: string): boolean {
    return [...this.#calls].some((call) => call.modelId === modelId);
  }

  /** Whether it makes an answer just now. */
  isBusy(instance: ProviderInstance): boolean {
    return [...this.#calls].some((call) => call.instance === instance);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#all, ...this.#retired].map((instance) => instance.close()));
  }

  #closeRetired(): void {
    if (this.#retired.size === 0) return;
    const busy = new Set([...this.#calls].map(({ instance }) => instance));
    for (const instance of [...this.#retired].filter((one) => !busy.has(one))) {
      this.#retired.delete(instance);
      instance
        .close()
        .catch((error: unknown) =>
          this.#log.warn({ error, provider: instance.settings.id }, "a provider did not close"),
        );
    }
  }
}
