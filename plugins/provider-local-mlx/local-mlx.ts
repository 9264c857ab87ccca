import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import {
  AppError,
  ProviderFailures,
  streamAnswer,
  stringOf,
  type AnswerEvents,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderResponse,
  type ProviderSettings,
} from "@pergola/sdk";
import { ChatChunkReader, modelsFolder, readChatFailure } from "@pergola/kit-provider";
import { findProgram, thisMachine, type Machine } from "./machine.ts";
import { failure, MlxServer } from "./mlx-server.ts";
import { findSets, removeSet, type ModelSet } from "./model-sets.ts";
import { requestBody } from "./request-body.ts";
import { knowsOption } from "./server-options.ts";

/** Milliseconds after which a server without calls is ended. */
const idleTime = 300_000;

const responseOf = (answer: IncomingMessage): ProviderResponse => ({
  status: answer.statusCode ?? 500,
  header: (name) => answer.headers[name]?.toString(),
  body: answer,
  text: () => text(answer),
});

/**
 * The MLX sets of a folder, run one at a time by the program `mlx_lm.server`, which is started by the first
 * call.
 */
export class LocalMlx implements Provider {
  readonly #settings: ProviderSettings;
  readonly #door: ProviderDoor;
  readonly #machine: Machine;
  readonly #failures: ProviderFailures;
  #server: { readonly model: string; readonly started: Promise<MlxServer> } | undefined;
  #calls = 0;
  #quantizesCache: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ProviderSettings, door: ProviderDoor, machine: Machine = thisMachine) {
    this.#settings = settings;
    this.#door = door;
    this.#machine = machine;
    this.#failures = new ProviderFailures(
      { ...settings, name: "mlx_lm.server" },
      { clock: door.clock, read: readChatFailure },
    );
  }

  /** Rejects with the reason where MLX cannot run. */
  async listModels(): Promise<readonly ModelInfo[]> {
    if (this.#machine.fault !== undefined) throw failure(this.#machine.fault);
    const sets = await findSets(modelsFolder(this.#door));
    if (sets.length > 0) this.#program();
    return sets.map(({ info }) => info);
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    clearTimeout(this.#timer);
    this.#calls += 1;
    const options = {
      ask: (connection: AbortSignal) => this.#ask(call, connection),
      reader: (events: AnswerEvents) => new ChatChunkReader(events),
      failures: this.#failures,
      clock: this.#door.clock,
      timeoutSeconds: this.#settings.timeoutSeconds,
    };
    try {
      yield* streamAnswer(options, signal);
    } catch (error) {
      signal.throwIfAborted();
      const broken = this.#failures.connectionFailed(error);
      if (broken.code === "provider_error") await this.close();
      throw broken;
    } finally {
      this.#finish();
    }
  }

  takesFormat(): boolean {
    return false;
  }

  async loaded(): Promise<readonly { readonly id: string }[]> {
    const path = this.#server?.model;
    if (path === undefined) return [];
    const sets = await findSets(modelsFolder(this.#door));
    return sets.filter((set) => set.path === path).map(({ id }) => ({ id }));
  }

  /** While an answer is written, the server stays: it ends by itself when nobody asks it. */
  async unload(model: string): Promise<void> {
    const isLoaded = (await this.loaded()).some(({ id }) => id === model);
    if (isLoaded && this.#calls === 0) await this.close();
  }

  async remove(model: string): Promise<void> {
    const set = await this.#installed(model);
    if (this.#server?.model === set.path) await this.close();
    await removeSet(set, modelsFolder(this.#door));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const server = this.#server;
    this.#server = undefined;
    await server?.started.then(
      (started) => started.end(),
      () => undefined,
    );
  }

  async #ask(call: ModelCall, signal: AbortSignal): Promise<ProviderResponse> {
    const set = await this.#installed(call.model);
    const server = await this.#start(set, signal);
    const body = requestBody(call, set.path);
    const response = responseOf(await server.send("POST", "/v1/chat/completions", body, signal));
    if (response.status === 200) return response;
    throw await this.#failures.fromResponse(response);
  }

  #program(): string {
    if (this.#machine.fault !== undefined) throw failure(this.#machine.fault);
    const named = stringOf(this.#door.preference("local.server_binary"));
    const program = findProgram(named || "mlx_lm.server", this.#machine.folders);
    if (program !== undefined) return program;
    throw failure(
      "MLX models need the program mlx_lm.server: install it with `pip install mlx-lm`, " +
        "or name it in local.server_binary.",
    );
  }

  async #installed(model: string): Promise<ModelSet> {
    const found = (await findSets(modelsFolder(this.#door))).find(({ id }) => id === model);
    if (found !== undefined) return found;
    throw new AppError({
      code: "model_not_found",
      message: `No MLX model "${model}" is installed.`,
      param: "model",
    });
  }

  /**
   * The server of this model. Two models at a time would take twice the memory: the server of another model
   * is ended, unless it still answers.
   */
  async #start(set: ModelSet, signal: AbortSignal): Promise<MlxServer> {
    const running = await this.#server?.started.catch(() => undefined);
    if (running?.ended === false && this.#server?.model === set.path) return running;
    if (this.#calls > 1 && running?.ended === false)
      throw failure("Another MLX model is answering; try again when it is done.");
    await this.close();
    signal.throwIfAborted();
    const started = this.#launch(this.#program(), set);
    this.#server = { model: set.path, started };
    return started;
  }

  async #launch(program: string, set: ModelSet): Promise<MlxServer> {
    const { log } = this.#door;
    const options = ["--model", set.path, ...(await this.#cacheOptions(program))];
    return MlxServer.start(program, options, log, this.#settings.timeoutSeconds * 1000);
  }

  /** Bits per number of the cache; 16 is what every server does by itself. */
  async #cacheOptions(program: string): Promise<readonly string[]> {
    const bits = this.#door.preference("local.kv_bits");
    if (bits !== 4 && bits !== 8) return [];
    this.#quantizesCache ??= knowsOption(program, "--kv-bits");
    if (await this.#quantizesCache) return ["--kv-bits", String(bits)];
    this.#door.log.info(
      { program, bits },
      "this mlx_lm.server has no quantized cache: local.kv_bits has no effect",
    );
    return [];
  }

  #finish(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#timer = setTimeout(() => void this.close(), idleTime).unref();
  }
}
