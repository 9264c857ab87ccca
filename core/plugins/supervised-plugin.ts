import {
  messageOf,
  PluginError,
  ToolError,
  type Clock,
  type Log,
  type Operation,
  type Plugin,
  type Tool,
} from "@pergola/sdk";
import type { IsolatedPlugin, PluginStrike } from "@pergola/sdk/host";
import type { FoundPlugin } from "./discover.ts";
import type { EarlyParts } from "./early-parts.ts";
import { completeFile } from "./complete-file.ts";
import { checkApproval } from "./pin-plugins.ts";
import { differences, effectsOfTools, type ToolEffects } from "./plugin-grants.ts";
import { changeLock, type LockedVersion } from "./plugin-lock.ts";
import { goodPrevious, versionAt } from "./previous-version.ts";
import { breakerLimits, strikeWords, type StrikeBook } from "./strike-book.ts";
import { noteFact } from "./supply-audit.ts";

export interface SupervisorOptions {
  /** Where the plugins, their lock and their strikes are. */
  readonly dataDirectory: string;
  readonly book: StrikeBook;
  readonly early: EarlyParts;
  readonly log: Log;
  readonly clock: Clock;
  /** Only to look: nothing is written down. */
  readonly inspecting: boolean;
  /** false = it is loaded to be shown, before anybody has agreed to it. */
  readonly isAgreed: boolean;
  /** Its files are compared with this before each start of its process; undefined = with nothing. */
  readonly locked: LockedVersion | undefined;
  /** The text without secrets. */
  readonly redact: (text: string) => string;
  /** What is wrong with it now, or nothing any more. */
  readonly changed: (fault: PluginError | undefined) => void;
}

type Functions = Readonly<Record<string, unknown>>;
type Call = (...args: unknown[]) => unknown;

const again = "It is tried again after an hour.";

/**
 * A plugin in a process of its own, and the breaker in front of it: five strikes within ten minutes, and its
 * calls are refused. The last good version, if there is one that asked for no more, comes in its place.
 */
export class SupervisedPlugin {
  readonly #options: SupervisorOptions;
  #found: FoundPlugin;
  #locked: LockedVersion | undefined;
  #inner: IsolatedPlugin | undefined;
  #shape = "";
  #isTrying = false;
  /** Its process was stopped for good; the next call that is let through starts another. */
  #isEnded = false;
  /** The same tools come back only with the next start. */
  #awaitsStart = false;

  constructor(found: FoundPlugin, options: SupervisorOptions) {
    this.#found = found;
    this.#locked = options.locked;
    this.#options = options;
  }

  /** Its breaker has opened since the start, and may be closed without another one. */
  get canRetry(): boolean {
    return this.#isEnded && !this.#awaitsStart;
  }

  /** What runs now; after a roll-back another version than at first. */
  get found(): FoundPlugin {
    return this.#found;
  }

  /**
   * Loads it. Rejects with PluginError while its breaker is open, and when its tools do more than was
   * approved.
   */
  async open(): Promise<Plugin & Pick<IsolatedPlugin, "walled">> {
    this.#forgiveChanged();
    if (this.#state() === "open") throw this.#fault();
    if (this.#found.file !== undefined)
      this.#found = await completeFile(this.#found, (found) => this.#start(found));
    const inner = await this.#start(this.#found, false);
    this.#inner = inner;
    const { tools = [] } = inner;
    this.#checkEffects(effectsOfTools(tools));
    this.#shape = shapeOf(tools);
    return {
      ...inner,
      tools: tools.map((tool) => this.#guardTool(tool)),
      stop: async () => this.#inner?.stop(),
    };
  }

  /** A file that was changed since its breaker opened is another one. */
  #forgiveChanged(): void {
    const { id, version, file } = this.#found;
    const { book, inspecting } = this.#options;
    const last = book.page(id).strikes.at(-1)?.version;
    if (file !== undefined && !inspecting && last !== undefined && last !== version) book.forget(id);
  }

  /** Not before its walls were tried, unless whoever opens it waits for that. */
  async #start(found: FoundPlugin, waits = true): Promise<IsolatedPlugin> {
    const { early, isAgreed } = this.#options;
    const watch = {
      strike: (strike: PluginStrike) => this.#struck(found, strike),
      verify: () => this.#verify(found),
    };
    const inner = await early.isolate(found, watch, isAgreed);
    if (waits) await inner.walled;
    return inner;
  }

  async #verify(found: FoundPlugin): Promise<void> {
    if (this.#locked === undefined) return;
    try {
      await checkApproval(found, this.#locked);
    } catch (error) {
      // While it is opened, whoever opens it leaves it out.
      if (PluginError.is(error) && this.#inner !== undefined) this.#options.changed(error);
      throw error;
    }
  }

  /** What its tools do is written down at first, and must not become more. */
  #checkEffects(tools: ToolEffects): void {
    const { id } = this.#found;
    const known = this.#locked?.tools ?? null;
    if (this.#locked === undefined) return;
    if (known === null) return this.#writeEffects(tools);
    const more = differences({ permissions: null, tools: known }, { permissions: null, tools });
    if (more.length === 0) return;
    const remedy = `Look at it, then approve it as it is now: pergola plugins approve ${id}.`;
    void this.#inner?.stop();
    throw new PluginError(id, "approve", `its tools do more than was approved: ${more.join("; ")}`, {
      remedy,
    });
  }

  #writeEffects(tools: ToolEffects): void {
    const { dataDirectory, inspecting } = this.#options;
    if (inspecting) return;
    const { id, version } = this.#found;
    changeLock(dataDirectory, ({ [id]: entry }) => {
      if (entry?.current?.version !== version) return {};
      return { [id]: { ...entry, current: { ...entry.current, tools } } };
    });
  }

  #guardTool(tool: Tool): Tool {
    const inner = (): Tool | undefined => this.#inner?.tools?.find(({ name }) => name === tool.name);
    const guarded = this.#guard(tool, inner);
    const operations = tool.operations.map((operation) =>
      this.#guard(operation, () => inner()?.operations.find(({ name }) => name === operation.name)),
    );
    return { ...guarded, operations };
  }

  /** The same thing, each function of which goes through the breaker to what runs now. */
  #guard<T extends Tool | Operation>(thing: T, inner: () => T | undefined): T {
    const guarded = Object.entries(thing).map(([name, value]: readonly [string, unknown]) => {
      if (typeof value !== "function") return [name, value];
      const call: Call = (...args) =>
        this.#through(() => ((inner() as Functions | undefined)?.[name] as Call)(...args));
      return [name, call];
    });
    return Object.fromEntries(guarded) as T;
  }

  async #through(call: () => unknown): Promise<unknown> {
    const state = this.#state();
    const isTry = state === "half-open" && !this.#isTrying;
    if (this.#awaitsStart || (state !== "closed" && !isTry))
      throw new ToolError("unavailable", `${this.#reason()}.`, { hint: "Use other tools." });
    await this.retry();
    if (!isTry) return call();
    this.#isTrying = true;
    try {
      const answer = await call();
      const { id, version } = this.#found;
      this.#options.book.close(id);
      noteFact(this.#options, { action: "plugin.breaker", target: `${id} ${version}`, outcome: "closed" });
      this.#options.changed(undefined);
      return answer;
    } finally {
      this.#isTrying = false;
    }
  }

  #state(): ReturnType<StrikeBook["state"]> {
    return this.#options.book.state(this.#found.id);
  }

  #reason(): string {
    const { id, version } = this.#found;
    const { strikes } = this.#options.book.page(id);
    const last = strikes.at(-1);
    const how = last === undefined ? "" : `, the last time by ${strikeWords[last.kind]}`;
    return (
      `${id} ${version} failed ${breakerLimits.strikes} times within ten minutes${how}; ` +
      "its calls are refused"
    );
  }

  #fault(): PluginError {
    const { id } = this.#found;
    const remedy =
      `See what happened: pergola plugins inspect ${id}. ` +
      `Try it again: pergola plugins enable ${id}. ${again}`;
    return new PluginError(id, "call", this.#reason(), { remedy });
  }

  #struck(found: FoundPlugin, strike: PluginStrike): void {
    const { book, log, inspecting, redact } = this.#options;
    const { id, version } = found;
    const { kind, call } = strike;
    log.warn({ plugin: id, version, kind, call }, `${id} has a strike: ${strikeWords[kind]}`);
    if (inspecting || found !== this.#found) return;
    const isTooMuch = book.add(id, version, { ...strike, stderr: redact(strike.stderr) });
    const during = call === null ? "" : ` ${call}`;
    noteFact(this.#options, { action: "plugin.strike", target: `${id} ${version}${during}`, outcome: kind });
    const wasHalfOpen = book.state(id) === "half-open";
    if (!isTooMuch && !wasHalfOpen) return;
    book.open(id);
    noteFact(this.#options, { action: "plugin.breaker", target: `${id} ${version}`, outcome: "open" });
    const fault = this.#fault();
    log.error({ plugin: id, version, error: fault }, fault.message);
    void this.#replace(fault);
  }

  /** Starts its process anew where its breaker has ended it. Rejects with what keeps it from running. */
  async retry(): Promise<void> {
    if (!this.#isEnded) return;
    this.#isEnded = false;
    try {
      this.#inner = await this.#start(this.#found);
    } catch (error) {
      this.#isEnded = true;
      throw error;
    }
    this.#options.changed(undefined);
  }

  /** Ends what runs, and takes the last good version in its place, if there is one. */
  async #replace(fault: PluginError): Promise<void> {
    const { log } = this.#options;
    const { id } = this.#found;
    this.#options.changed(fault);
    try {
      await this.#inner?.stop();
      this.#isEnded = true;
      await this.#rollBack();
    } catch (error) {
      log.error(
        { plugin: id, error },
        `${id} could not be taken back to its last version: ${messageOf(error)}`,
      );
    }
  }

  async #rollBack(): Promise<void> {
    const { dataDirectory, book, clock, log } = this.#options;
    const before = this.#found;
    const previous = await goodPrevious(dataDirectory, before.id);
    if (previous === undefined) return;
    changeLock(dataDirectory, ({ [before.id]: entry = {} }) => {
      const { previous: _, ...rest } = entry;
      return { [before.id]: { ...rest, current: previous } };
    });
    const versions = `${before.id} ${before.version} ${previous.version}`;
    noteFact(this.#options, { action: "plugin.rollback", target: versions, outcome: "done" });
    this.#found = versionAt(dataDirectory, before, previous);
    this.#locked = previous;
    this.#inner = await this.#start(this.#found);
    this.#isEnded = false;
    const { strikes } = book.page(before.id);
    const time = new Date(clock.now()).toISOString();
    book.write(before.id, { strikes, rolledBack: { from: before.version, to: previous.version, time } });
    const message = `${before.id} ${before.version} failed too often; ${previous.version} runs in its place`;
    log.warn({ plugin: before.id, from: before.version, to: previous.version }, message);
    this.#awaitsStart = shapeOf(this.#inner.tools ?? []) !== this.#shape;
    const restart = new PluginError(
      before.id,
      "call",
      `${message} with the next start, for its tools differ`,
      {
        remedy: "Start the service again.",
      },
    );
    this.#options.changed(this.#awaitsStart ? restart : undefined);
  }
}

/** What models and clients see of tools. */
const shapeOf = (tools: readonly Tool[]): string => JSON.stringify(tools);
