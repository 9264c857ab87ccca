import path from "node:path";
import {
  AppError,
  providerFailure,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDoor,
  type ProviderSettings,
} from "@pergola/sdk";
import { findProgram, thisMachine, type Machine } from "./machine.ts";
import { failure, MlxServer } from "./mlx-server.ts";
import { findSets, removeSet, type ModelSet } from "./model-sets.ts";
import { readAnswer } from "./read-answer.ts";
import { requestBody } from "./request-body.ts";
import { knowsOption } from "./server-options.ts";

/** Milliseconds after which a server that nobody asks is ended. */
const idle = 300_000;

/**
 * The MLX sets of a folder, run one at a time by the program `mlx_lm.server`, which is started by the first
 * call.
 */
export class LocalMlx implements Provider {
  readonly #settings: ProviderSettings;
  readonly #door: ProviderDoor;
  readonly #machine: Machine;
  #server: { readonly model: string; readonly started: Promise<MlxServer> } | undefined;
  #calls = 0;
  #keepsSmall: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: ProviderSettings, door: ProviderDoor, machine: Machine = thisMachine) {
    this.#settings = settings;
    this.#door = door;
    this.#machine = machine;
  }

  /** Rejects with the reason where MLX can not run. */
  async listModels(): Promise<readonly ModelInfo[]> {
    if (this.#machine.fault !== undefined) throw failure(this.#machine.fault);
    const sets = await findSets(this.#folder());
    if (sets.length > 0) this.#program();
    return sets.map(({ info }) => info);
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    clearTimeout(this.#timer);
    this.#calls += 1;
    const own = new AbortController();
    const leave = (): void => own.abort(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      const set = await this.#installed(call.model);
      const server = await this.#start(set, signal);
      const answer = await server.send(
        "POST",
        "/v1/chat/completions",
        requestBody(call, set.path),
        own.signal,
      );
      if (answer.statusCode !== 200)
        throw providerFailure("mlx_lm.server", answer.statusCode ?? 500, await textOf(answer));
      for await (const event of readAnswer(answer)) {
        signal.throwIfAborted();
        yield event;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!AppError.is(error) || error.code === "provider_error") await this.close();
      throw AppError.is(error)
        ? error
        : failure(`mlx_lm.server can not be reached any more: ${String((error as Error).message)}`);
    } finally {
      signal.removeEventListener("abort", leave);
      own.abort();
      this.#finish();
    }
  }

  async remove(model: string): Promise<void> {
    const set = await this.#installed(model);
    if (this.#server?.model === set.path) await this.close();
    await removeSet(set, this.#folder());
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

  #folder(): string {
    const folder = this.#door.preference("downloads.path");
    return typeof folder === "string" && folder !== ""
      ? path.resolve(folder)
      : path.join(this.#door.dataDirectory, "models");
  }

  #program(): string {
    if (this.#machine.fault !== undefined) throw failure(this.#machine.fault);
    const named = this.#door.preference("local.server_binary");
    const program = findProgram(
      typeof named === "string" && named !== "" ? named : "mlx_lm.server",
      this.#machine.folders,
    );
    if (program !== undefined) return program;
    throw failure(
      "MLX models need the program mlx_lm.server: install it with `pip install mlx-lm`, or name it in local.server_binary.",
    );
  }

  async #installed(model: string): Promise<ModelSet> {
    const found = (await findSets(this.#folder())).find(({ id }) => id === model);
    if (found !== undefined) return found;
    throw new AppError({
      code: "model_not_found",
      message: `No MLX model "${model}" is installed.`,
      param: "model",
    });
  }

  /**
   * The server of this model. Two models at a time would take twice the memory: one that still answers is
   * left, any other is ended.
   */
  async #start(set: ModelSet, signal: AbortSignal): Promise<MlxServer> {
    const running = await this.#server?.started.catch(() => undefined);
    if (running?.ended === false && this.#server?.model === set.path) return running;
    if (this.#calls > 1 && running?.ended === false)
      throw failure("Another MLX model answers at the moment; try again when it is done.");
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

  /** In how many bits it keeps what it has read; 16 is what every server does by itself. */
  async #cacheOptions(program: string): Promise<readonly string[]> {
    const bits = this.#door.preference("local.kv_bits");
    if (bits !== 4 && bits !== 8) return [];
    this.#keepsSmall ??= knowsOption(program, "--kv-bits");
    if (await this.#keepsSmall) return ["--kv-bits", String(bits)];
    this.#door.log.info(
      { program, bits },
      "this mlx_lm.server can not keep what it has read in fewer bits: local.kv_bits does not count",
    );
    return [];
  }

  #finish(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#timer = setTimeout(() => void this.close(), idle).unref();
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8").slice(0, 2000);
}
