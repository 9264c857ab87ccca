import { AppError, type Entity, type ProviderSettings } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

interface ProbeRecord extends Entity {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Milliseconds after which a model is tried with native tools again: its server may have learned them. */
const lifetime = 7 * 24 * 3_600_000;

/** Failures that say nothing about tools: credentials, payment, rate, size. */
const unrelated = new Set([401, 402, 403, 408, 413, 429]);
/** Refusals of what the request holds; servers often do not say of what. */
const refusals = new Set([400, 422, 501]);
const mention = /\btools?\b|tool[ _-]?(choice|call|use)|function[ _-]?call/i;

/** Whether a provider may have refused a request because of its tools. */
export function mayRefuseTools(error: unknown): boolean {
  if (!AppError.is(error)) return false;
  const status = Number(error.details?.["status"]);
  if (Number.isNaN(status) || unrelated.has(status)) return false;
  return refusals.has(status) || mention.test(error.message);
}

/** The models of one provider that were tried with native tools, and refused them or took them. */
export class ToolProbes {
  readonly #parts: Parts;
  readonly #place: Pick<ProbeRecord, "provider" | "baseUrl">;
  readonly #refusing = new Map<string, number>();
  readonly #taking = new Set<string>();
  #loaded: Promise<void> | undefined;

  constructor(parts: Parts, { id, baseUrl = "" }: Pick<ProviderSettings, "id" | "baseUrl">) {
    this.#parts = parts;
    this.#place = { provider: id, baseUrl };
  }

  get #records() {
    const { storage } = this.#parts.stores;
    return storage.collection<ProbeRecord>("service-models/tool-probes", { indexes: ["provider"] });
  }

  /** Reads what was found out before the last start. */
  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) =>
      this.#parts.log.warn({ error }, "what is known of models without tools could not be read"),
    );
    return this.#loaded;
  }

  async #load(): Promise<void> {
    const { provider, baseUrl } = this.#place;
    const found = await this.#records.find({ provider });
    for (const { model, time } of found.filter((record) => record.baseUrl === baseUrl))
      this.#refusing.set(model, time);
  }

  /** Whether the model has refused native tools. */
  refuses(model: string): boolean {
    const time = this.#refusing.get(model);
    return time !== undefined && this.#parts.clock.now() - time < lifetime;
  }

  /** Whether the model has taken native tools since the start: a refusal is then about something else. */
  takes(model: string): boolean {
    return this.#taking.has(model);
  }

  noteTaking(model: string): void {
    this.#taking.add(model);
  }

  async noteRefusing(model: string): Promise<void> {
    const time = this.#parts.clock.now();
    this.#refusing.set(model, time);
    const id = JSON.stringify([this.#place.provider, model]);
    await this.#records.put({ id, ...this.#place, model, time }).catch((error: unknown) => {
      this.#parts.log.warn({ error, model }, "that a model takes no tools could not be stored");
    });
  }
}
