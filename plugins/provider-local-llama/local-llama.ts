import {
  AppError,
  defined,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderSettings,
} from "@pergola/sdk";
import { modelsFolder } from "@pergola/kit-provider";
import { FactsReader } from "./facts-reader.ts";
import type { LoadOptions, ModelFacts } from "./messages.ts";
import { findModels, removeModel, type InstalledModel } from "./model-folder.ts";
import { ModelRunner, type ModelInMemory } from "./model-runner.ts";
import { turnOf } from "./turn-of.ts";

export interface LocalLlamaOptions {
  /** Milliseconds without calls after which a model is unloaded. */
  readonly idle?: number;
  /** Bytes that count as free instead of what the system reports. */
  readonly availableBytes?: number;
}

/**
 * The GGUF files of a folder. Each model runs in a process of its own, which is started by its first call.
 */
export class LocalLlama implements Provider {
  readonly #settings: ProviderSettings;
  readonly #door: ProviderDoor;
  readonly #options: LocalLlamaOptions;
  readonly #facts: FactsReader;
  readonly #runners = new Map<string, ModelRunner>();

  constructor(settings: ProviderSettings, door: ProviderDoor, options: LocalLlamaOptions = {}) {
    this.#settings = settings;
    this.#door = door;
    this.#options = options;
    this.#facts = new FactsReader(door.log);
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const models = await findModels(modelsFolder(this.#door));
    const facts = await this.#facts.read(models, signal);
    return models.flatMap((model, index) => {
      const known = facts[index]!;
      return typeof known === "string" ? [] : [this.#infoOf(model, known)];
    });
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { turn, warnings } = turnOf(call);
    signal.throwIfAborted();
    const runner = await this.#runner(call.model, call.sampling.contextSize);
    signal.throwIfAborted();
    for (const text of warnings) yield { type: "warning", text };
    yield* runner.stream(turn, signal);
  }

  /** By a grammar, which would keep the model from calling tools. */
  takesFormat({ tools }: ModelCall): boolean {
    return tools.length === 0;
  }

  async embed(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    return (await this.#runner(model)).embed(texts, signal);
  }

  loaded(): readonly (ModelInMemory & { readonly id: string })[] {
    const loaded = [...this.#runners].filter(([, runner]) => runner.isLoaded);
    return loaded.map(([id, runner]) => ({ id, ...runner.inMemory }));
  }

  async unload(model: string): Promise<void> {
    const runner = this.#runners.get(model);
    this.#runners.delete(model);
    await runner?.retire();
  }

  async remove(model: string): Promise<void> {
    const installed = await this.#installed(model);
    await this.#runners.get(installed.id)?.unload();
    this.#runners.delete(installed.id);
    await removeModel(installed, modelsFolder(this.#door));
  }

  async close(): Promise<void> {
    await Promise.all([this.#facts.close(), ...[...this.#runners.values()].map((runner) => runner.unload())]);
  }

  async #installed(model: string): Promise<InstalledModel> {
    const found = (await findModels(modelsFolder(this.#door))).find(({ id }) => id === model);
    if (found !== undefined) return found;
    throw new AppError({
      code: "model_not_found",
      message: `No model file "${model}" is installed.`,
      param: "model",
    });
  }

  /**
   * The runner of the file as it is now: a file that has changed is loaded again, and so is one whose context
   * is smaller than what is asked for.
   */
  async #runner(model: string, contextSize?: number): Promise<ModelRunner> {
    const installed = await this.#installed(model);
    const options = this.#loadOptions(installed, contextSize);
    const running = this.#runners.get(model);
    if (running?.fits(installed, options) === true) return running;
    const runner: ModelRunner = new ModelRunner(installed, options, {
      idle: this.#options.idle,
      timeouts: this.#settings,
      log: this.#door.log,
      makeRoom: () => this.#makeRoom(runner),
    });
    this.#runners.set(model, runner);
    void running?.retire();
    return runner;
  }

  /** Unloads the models without calls, so that another one can be loaded. */
  async #makeRoom(except: ModelRunner): Promise<void> {
    const idle = [...this.#runners.values()].filter((runner) => runner !== except && !runner.busy);
    await Promise.all(idle.map((runner) => runner.unload()));
  }

  #number(key: string, usual: number): number {
    const value = this.#door.preference(key);
    return typeof value === "number" ? value : usual;
  }

  #loadOptions({ path: file, sizeBytes }: InstalledModel, contextSize = Infinity): LoadOptions {
    return defined({
      path: file,
      sizeBytes,
      contextSize: Math.min(contextSize, this.#number("local.context_size", 8192)),
      batchSize: this.#number("local.batch_size", 512),
      parallelSlots: this.#number("local.parallel_slots", 1),
      gpuLayers: this.#number("local.gpu_layers", -1),
      availableBytes: this.#options.availableBytes,
    });
  }

  #infoOf({ id, path: file, sizeBytes, changed }: InstalledModel, facts: ModelFacts): ModelInfo {
    const contextWindow = Math.min(this.#number("local.context_size", 8192), facts.trainedContext);
    const isChat = facts.kind === "chat";
    return defined({
      id,
      kind: facts.kind,
      contextWindow,
      maxOutputTokens: isChat ? Math.floor(contextWindow / 2) : 0,
      supportsTools: isChat,
      supportsVision: false,
      supportsThinking: isChat && facts.thinks,
      family: facts.family,
      created: Math.floor(changed / 1000),
      dimensions: isChat ? undefined : facts.dimensions,
      file: { path: file, sizeBytes, quantization: facts.quantization },
    });
  }
}
