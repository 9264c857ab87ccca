import { AppError, defined, newId, type Caller, type Collection, type Page } from "@pergola/sdk";
import {
  OwnName,
  retryConflicts,
  type PartLife,
  type Parts,
  type Schedule,
  type ScheduleDraft,
  type ScheduleFields,
  type ScheduleService,
} from "@pergola/sdk/host";
import { checkAsWide } from "./check-as-wide.ts";
import { Starter } from "./starter.ts";
import type { StoredSchedule } from "./stored-schedule.ts";
import { checkCron, countDue, localZone, nextAfter, timeOf, zoneOf } from "./timing.ts";

/** How many there may be. */
const most = 1000;
/** Milliseconds between two looks at the clock: a computer that slept has not waited meanwhile. */
const longestWait = 30_000;

const shown = (stored: StoredSchedule & { readonly version?: number }): Schedule => {
  const { maker: _, startingAt: __, starter: ___, version: ____, ...schedule } = stored;
  return schedule;
};

/**
 * Schedules in the host's storage. A start that is due is taken by a conditional write, so that of several
 * hosts one starts it; a host that was away at the time starts it once when it is back.
 */
export class Schedules implements ScheduleService, PartLife {
  readonly #parts: Parts;
  readonly #stored: Collection<StoredSchedule>;
  readonly #starter: Starter;
  readonly #name: OwnName;
  readonly #starting = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #isStopped = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stored = parts.stores.storage.collection<StoredSchedule>("schedules", {
      indexes: [["enabled", "nextAt"], "createdAt", "startingAt"],
    });
    this.#starter = new Starter(parts);
    this.#name = new OwnName(parts, "schedules/");
  }

  async recover(): Promise<void> {
    this.#isStopped = false;
    this.#unwatch = this.#parts.stores.storage.watch("schedules", () => this.#wake());
    this.#name.watch(() => this.#recallLeft());
    await this.#recallLeft();
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unwatch?.();
    clearTimeout(this.#timer);
    await Promise.all(this.#starting);
    this.#name.stop();
  }

  async list(): Promise<Page<Schedule>> {
    const found = await this.#stored.find({}, { order: "createdAt", limit: most });
    return { items: found.map(shown), count: found.length };
  }

  async get(id: string): Promise<Schedule> {
    return shown(await this.#find(id));
  }

  async create(draft: ScheduleDraft, caller: Caller): Promise<Schedule> {
    if ((await this.#stored.count({})) >= most)
      throw new AppError({
        code: "invalid_value",
        message: `There are ${most} schedules; delete some first.`,
      });
    const fields = await this.#checked({ ...absent(draft.prompt), ...defined(draft) }, caller);
    const schedule: StoredSchedule = {
      ...fields,
      id: newId.schedule(),
      createdBy: caller.id,
      createdAt: this.#parts.timestamp(),
      lastRunId: null,
      lastFiredAt: null,
      nextAt: fields.enabled ? nextAfter(fields, this.#now) : null,
      missed: 0,
      lastError: null,
      maker: caller,
      startingAt: null,
    };
    await this.#stored.put(schedule, { ifVersion: 0 });
    return shown(schedule);
  }

  update(id: string, changes: Partial<ScheduleFields>, caller: Caller): Promise<Schedule> {
    return retryConflicts(async () => {
      const now = await this.#find(id);
      if (Object.keys(changes).some((key) => key !== "enabled")) checkAsWide(caller, now.maker);
      const fields = await this.#checked({ ...now, ...timing(changes), ...defined(changes) }, now.maker);
      const nextAt = fields.enabled ? nextAfter(fields, this.#now) : null;
      const schedule = { ...now, ...fields, nextAt };
      await this.#stored.put(schedule, { ifVersion: now.version });
      return shown(schedule);
    });
  }

  async delete(id: string): Promise<void> {
    if (!(await this.#stored.delete(id.toLowerCase()))) throw unknownSchedule(id);
  }

  async #find(id: string) {
    const found = await this.#stored.get(id.toLowerCase());
    if (found === undefined) throw unknownSchedule(id);
    return found;
  }

  /** The fields of a schedule in canonical form. Throws where a start could only fail. */
  async #checked(fields: ScheduleFields, caller: Caller): Promise<ScheduleFields> {
    const { cron, at, enabled, workingDirectory, conversationId, model } = fields;
    const timeZone = zoneOf(fields.timeZone);
    if ((cron === null) === (at === null))
      throw new AppError({
        code: at === null ? "missing_field" : "invalid_value",
        message: "A schedule has either cron, for starts again and again, or at, for one start.",
        param: "cron",
      });
    if (cron !== null) checkCron(cron, timeZone, this.#now);
    const time = at === null || !enabled ? at : timeOf(at, timeZone, this.#now);
    if (workingDirectory !== null)
      await this.#parts.conversations.checkWorkingDirectory(workingDirectory, caller);
    if (conversationId !== null) await this.#parts.conversations.get(conversationId);
    const unknown = fields.tools?.find((name) => !this.#parts.tools.isFamily(name));
    if (unknown !== undefined) throw noFamily(unknown);
    if (model !== "default") await this.#parts.models.resolve(model, AbortSignal.timeout(30_000));
    return { ...fields, at: time, timeZone };
  }

  get #now(): number {
    return this.#parts.clock.now();
  }

  /** Looks again at what is due, and when the next one is. */
  #wake(): void {
    if (this.#isStopped) return;
    void this.#startDue().catch((error: unknown) => {
      this.#parts.log.warn({ error }, "schedules could not be read");
      this.#wait(longestWait);
    });
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(milliseconds, 0), longestWait)).unref();
  }

  async #startDue(): Promise<void> {
    const [first] = await this.#stored.find({ enabled: true, nextAt: { gte: "" } }, nearest);
    const nextAt = first?.nextAt ?? null;
    if (first === undefined || nextAt === null) return clearTimeout(this.#timer);
    const left = Date.parse(nextAt) - this.#now;
    if (left > 0) return this.#wait(left);
    await this.#take(first).catch(passConflict);
    this.#wake();
  }

  /** Takes the start that is due, as long as nobody else has, and makes it without being waited for. */
  async #take({ version, ...schedule }: StoredSchedule & { readonly version: number }): Promise<void> {
    const startingAt = this.#parts.timestamp();
    const missed = schedule.missed + countDue(schedule, Date.parse(schedule.nextAt ?? startingAt), this.#now);
    const nextAt = nextAfter(schedule, this.#now);
    const taken = {
      ...schedule,
      nextAt,
      enabled: nextAt !== null,
      missed,
      lastFiredAt: startingAt,
      startingAt,
      starter: (await this.#name.own())?.name ?? null,
    };
    await this.#stored.put(taken, { ifVersion: version });
    const start = this.#start(taken).finally(() => this.#starting.delete(start));
    this.#starting.add(start);
  }

  async #start(schedule: StoredSchedule): Promise<void> {
    const { id } = schedule;
    const outcome = await this.#starter.start(schedule);
    if (outcome === "stopping") return;
    const { missed, ...facts } = outcome;
    await this.#change(id, (now) => ({
      ...now,
      ...facts,
      missed: now.missed + missed,
      startingAt: null,
    })).catch((error: unknown) =>
      this.#parts.log.warn({ error, schedule: id }, "a start could not be noted"),
    );
  }

  /** What the last host had taken, or others that are gone. */
  async #recallLeft(): Promise<void> {
    const left = await this.#stored.find({ startingAt: { gte: "" } });
    if (left.length === 0) return;
    const own = (await this.#name.own())?.name;
    for (const schedule of left) {
      const starter = schedule.starter ?? null;
      const isOwn = own !== undefined && own === starter;
      if (!isOwn && (await this.#name.isGone(starter))) await this.#recall(schedule, own === undefined);
    }
  }

  /**
   * A start that a host had taken which is gone: it has begun, or is due again. Where there are several hosts
   * that one may begin it late: then it counts as missed, for it is not to be made twice.
   */
  async #recall(left: StoredSchedule, isAgain: boolean): Promise<void> {
    const { startingAt } = left;
    const run = startingAt === null ? undefined : await this.#starter.begunSince(startingAt, left);
    await this.#change(left.id, (now) => {
      if (now.startingAt !== startingAt) return now;
      if (run !== undefined) return { ...now, lastRunId: run, startingAt: null };
      if (!isAgain) return { ...now, missed: now.missed + 1, lastError: hostGone, startingAt: null };
      return { ...now, enabled: true, nextAt: startingAt, startingAt: null };
    });
  }

  #change(id: string, change: (now: StoredSchedule) => StoredSchedule): Promise<void> {
    return retryConflicts(async () => {
      const now = await this.#stored.get(id);
      if (now === undefined) return;
      const { version, ...schedule } = now;
      await this.#stored.put(change(schedule), { ifVersion: version });
    });
  }
}

const hostGone = "The host that had taken this start was gone before its run had begun.";

const nearest = { order: "nextAt", limit: 1 } as const;

const noFamily = (name: string): AppError =>
  new AppError({
    code: "invalid_value",
    message: `tools: there is no tool family "${name}". GET /api/tools lists them.`,
    param: "tools",
  });

const unknownSchedule = (id: string): AppError =>
  new AppError({ code: "not_found", message: `There is no schedule ${id}.` });

/** What a new schedule has where nothing is said. */
const absent = (prompt: string): ScheduleFields => ({
  name: [...prompt.trim().replace(/\s+/g, " ")].slice(0, 60).join(""),
  cron: null,
  at: null,
  timeZone: localZone(),
  prompt,
  model: "default",
  workingDirectory: null,
  tools: null,
  maxIterations: null,
  maxCostUsd: 0,
  enabled: true,
  conversationId: null,
});

/** The one kind of time takes the place of the other. */
function timing({ cron, at }: Partial<ScheduleFields>): Partial<ScheduleFields> {
  if (typeof cron === "string" && at === undefined) return { at: null };
  return typeof at === "string" && cron === undefined ? { cron: null } : {};
}

/** Another host has taken it, or it was changed just now. */
function passConflict(error: unknown): void {
  if (!AppError.is(error) || error.code !== "conflict") throw error;
}
