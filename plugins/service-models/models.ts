import {
  AppError,
  type Caller,
  type DeviceLogin,
  type Json,
  type ModelEntry,
  type ModelEvent,
  type ProviderQuota,
  type ProviderStatus,
} from "@pergola/sdk";
import type {
  LocalServer,
  ModelKeeper,
  Parts,
  ProviderChange,
  SavedProvider,
  TapWatch,
} from "@pergola/sdk/host";
import { AnswerLimits, type OpenAnswer } from "./answer-limits.ts";
import { beginAnswer, waitBefore, type Beginning, type ModelRequest } from "./attempt.ts";
import type { AttemptListener, CallListener } from "./call-listener.ts";
import { Embedder } from "./embedder.ts";
import { lackOf, mayFallBack } from "./fallback.ts";
import { listLoaded, listModels } from "./list-models.ts";
import { LocalServers } from "./local-servers.ts";
import { modelFinder, type FindModel, type Found } from "./model-finder.ts";
import { ProviderEditor } from "./provider-editor.ts";
import type { ProviderInstance } from "./provider-instance.ts";
import { ProvidersInUse } from "./providers-in-use.ts";
import { removeModel } from "./remove-model.ts";
import { sleep } from "./sleep.ts";
import { mayRefuseTools } from "./tool-probes.ts";

/** Which provider answers for a model name, and one call to it with retries and fallback chains. */
export class Models implements ModelKeeper {
  readonly #parts: Parts;
  readonly #providers: ProvidersInUse;
  readonly #find: FindModel;
  readonly #limits: AnswerLimits;
  readonly #sleep: typeof sleep;
  readonly #embedder: Embedder;
  readonly #editor: ProviderEditor;
  readonly #watchers: (() => void)[] = [];
  readonly #localServers: LocalServers;

  constructor(parts: Parts, instances: readonly ProviderInstance[], wait = sleep) {
    this.#parts = parts;
    this.#localServers = new LocalServers(parts);
    this.#providers = new ProvidersInUse(instances, parts.log);
    this.#find = modelFinder(parts, this.#providers);
    this.#limits = new AnswerLimits(() => parts.preferences.get<number>("providers.max_answer_bytes"));
    this.#embedder = new Embedder(parts, this.#find);
    this.#editor = new ProviderEditor(parts, this.#providers);
    this.#sleep = wait;
  }

  get instances(): readonly ProviderInstance[] {
    return this.#providers.all;
  }

  /** From now on these are the providers; answers that have begun go on to their end. */
  use(instances: readonly ProviderInstance[]): void {
    this.#providers.replace(instances);
    this.#embedder.clear();
    this.announce();
  }

  watchProviders(changed: () => void): void {
    this.#watchers.push(changed);
  }

  /** Something may have changed in what `providers` tells. */
  announce(): void {
    for (const changed of this.#watchers) changed();
  }

  list(signal: AbortSignal): Promise<readonly ModelEntry[]> {
    return listModels(this.#providers.enabled, signal);
  }

  loaded(signal: AbortSignal): ReturnType<ModelKeeper["loaded"]> {
    return listLoaded(this.#providers.enabled, signal);
  }

  async unload(model: string, signal: AbortSignal): Promise<void> {
    const { entry, instance } = await this.#find(model, signal);
    await instance.unload(entry.name);
  }

  async resolve(model: string, signal: AbortSignal, watch?: TapWatch): Promise<ModelEntry> {
    return (await this.#find(model, signal, watch)).entry;
  }

  async *stream(
    model: string,
    call: ModelRequest,
    signal: AbortSignal,
    listener: CallListener,
  ): AsyncIterable<ModelEvent> {
    const names = await this.#namesFor(model, signal);
    const current = this.#providers.begin();
    let begun: Beginning | undefined;
    let answer: OpenAnswer | undefined;
    try {
      begun = await this.#beginAny(names, call, signal, {
        ...listener,
        tries: ({ modelId }, instance) => void Object.assign(current, { modelId, instance }),
      });
      answer = this.#limits.open(current.instance?.settings.name ?? "The provider");
      for (let next = begun.first; next.done !== true; next = await begun.rest.next()) {
        const { rest, failure } = answer.take(next.value);
        if (rest !== undefined) yield rest;
        if (failure !== undefined) throw failure;
      }
    } catch (error) {
      throw this.#redacted(error);
    } finally {
      answer?.close(listener.stored);
      await begun?.rest.return?.();
      this.#providers.end(current);
    }
  }

  /**
   * The model, and those of its fallback chain: of the name that was asked for, of the model it stands for,
   * or of any.
   */
  async #namesFor(model: string, signal: AbortSignal): Promise<readonly string[]> {
    const chains = this.#parts.preferences.get<Json>("providers.fallback_chains") as Readonly<
      Record<string, readonly string[]>
    >;
    if (Object.keys(chains).length === 0) return [model];
    const asFound = (): Promise<string> =>
      this.#find(model, signal).then(
        ({ entry }) => entry.modelId,
        () => model,
      );
    const chain = chains[model] ?? chains[await asFound()] ?? chains["*"] ?? [];
    return [model, ...chain.filter((name) => name !== model)];
  }

  /**
   * The answer of the first of these models that begins one. Those behind the first have to have what the
   * call needs.
   */
  async #beginAny(
    names: readonly string[],
    call: ModelRequest,
    signal: AbortSignal,
    listener: AttemptListener,
  ): Promise<Beginning> {
    let failure: unknown;
    for (const [index, name] of names.entries()) {
      try {
        const model = await this.#find(name, signal);
        const lack = index > 0 && lackOf(model.facts, call);
        if (!lack) return await this.#begin(model, call, signal, listener);
        listener.warning(`${name} was skipped: ${lack}`);
      } catch (error) {
        if (signal.aborted || !mayFallBack(error)) throw error;
        failure = error;
        if (index < names.length - 1) listener.warning(`${name} was skipped: ${error.message}`);
      }
    }
    throw failure;
  }

  /** One model's answer up to its first event, tried again where the failure lets hope. */
  async #begin(
    found: Found,
    call: ModelRequest,
    signal: AbortSignal,
    listener: AttemptListener,
  ): Promise<Beginning> {
    const { entry, instance } = found;
    listener.tries(entry, instance);
    let left = this.#parts.preferences.get<number>("providers.max_wait_seconds");
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#beginOnce(found, call, signal, listener);
      } catch (error) {
        const failure = this.#redacted(error);
        const wait = waitBefore(attempt, failure, left, () => this.#parts.random());
        if (signal.aborted || wait === undefined || attempt > instance.retryCount) throw failure;
        left -= wait;
        await this.#sleep(wait * 1000, signal);
      }
    }
  }

  /**
   * One try. A model of which nobody says whether it takes tools gets them natively; where it refuses the
   * call, that is repeated at once with the tools in the prompt, and a repetition that works is remembered.
   */
  async #beginOnce(
    found: Found,
    call: ModelRequest,
    signal: AbortSignal,
    listener: CallListener,
  ): Promise<Beginning> {
    const { entry, instance, facts } = found;
    const { probes } = instance;
    const warn = (text: string): void => listener.warning(text);
    const hasTools = call.tools.length > 0 && call.raw === undefined;
    const isProbe = hasTools && entry.supportsTools && facts.supportsTools === undefined;
    try {
      const begun = await beginAnswer(found, call, signal, warn);
      if (isProbe) probes.noteTaking(entry.name);
      listener.onModel(entry);
      return begun;
    } catch (error) {
      if (!isProbe || signal.aborted || probes.takes(entry.name) || !mayRefuseTools(error)) throw error;
      const probed: ModelEntry = { ...entry, supportsTools: false, source: "probe" };
      const repetition = beginAnswer({ ...found, entry: probed }, call, signal, warn);
      const begun = await repetition.catch(() => {
        throw error;
      });
      await probes.noteRefusing(entry.name);
      listener.onModel(probed);
      return begun;
    }
  }

  #redacted(error: unknown): unknown {
    if (AppError.is(error)) error.message = this.#parts.redact(error.message);
    return error;
  }

  readonly embed: ModelKeeper["embed"] = (...of) => this.#embedder.embed(...of);
  readonly embedWith: ModelKeeper["embedWith"] = (...of) => this.#embedder.embedWith(...of);

  saveProvider(
    id: string,
    change: ProviderChange,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<SavedProvider> {
    return this.#editor.save(id, change, caller, signal);
  }

  removeProvider(id: string, caller: Caller): Promise<void> {
    return this.#editor.remove(id, caller);
  }

  findLocalServers(signal: AbortSignal): Promise<readonly LocalServer[]> {
    return this.#localServers.find(this.#providers.all, signal);
  }

  remove(model: string): Promise<void> {
    return removeModel(model, this.#find, this.#providers);
  }

  async login(providerId: string, signal: AbortSignal): Promise<DeviceLogin> {
    const instance = this.#providers.byId(providerId);
    const provider = await instance.open();
    if (provider.login !== undefined) return provider.login(signal);
    throw new AppError({
      code: "invalid_value",
      message: `Providers of the kind "${instance.definition.type}" have no device login.`,
    });
  }

  async quota(
    providerId: string,
    options: { readonly refresh: boolean },
    signal: AbortSignal,
  ): Promise<ProviderQuota> {
    const instance = this.#providers.byId(providerId);
    const quota = await (await instance.open()).quota?.(options, signal);
    const reason = `Providers of the kind "${instance.definition.type}" report no quota.`;
    return quota ?? { available: false, reason };
  }

  refresh(): void {
    for (const instance of this.#providers.all) instance.refresh();
  }

  async providers(): Promise<readonly ProviderStatus[]> {
    const { all } = this.#providers;
    const areVisible = await Promise.all(
      all.map((instance) => instance.isVisible(AbortSignal.timeout(10_000))),
    );
    return all.filter((_, index) => areVisible[index]).map((instance) => instance.status());
  }

  async close(): Promise<void> {
    await this.#providers.close();
  }
}
