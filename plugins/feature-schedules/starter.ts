import { defined } from "@pergola/sdk";
import type { NewRun, Parts, Schedule } from "@pergola/sdk/host";
import type { StoredSchedule } from "./stored-schedule.ts";

/** What a start came to; `missed` is 1 where it did not happen. */
type Outcome = Pick<Schedule, "lastError"> &
  Partial<Pick<Schedule, "lastRunId" | "conversationId" | "enabled" | "nextAt">> & {
    readonly missed: number;
  };

/** Starts the runs of schedules. */
export class Starter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Never rejects. `stopping`: the next host starts it. */
  async start(schedule: StoredSchedule): Promise<Outcome | "stopping"> {
    const { log, runs } = this.#parts;
    try {
      if (!(await this.#isValid(schedule.maker))) return ended;
      const live = await runs.start(await this.#request(schedule));
      await live.admit();
      return { lastError: null, lastRunId: live.id, conversationId: live.conversationId, missed: 0 };
    } catch (error) {
      const { code, message } = this.#parts.errorOf(error, { schedule: schedule.id });
      if (code === "shutting_down") return "stopping";
      log.warn({ schedule: schedule.id, code }, "a scheduled run could not be started");
      return { lastError: message, missed: 1 };
    }
  }

  /** The run that a start of the schedule has begun since it was taken. */
  async begunSince(time: string, { id, conversationId }: StoredSchedule): Promise<string | undefined> {
    const filter = { kind: "autonomous", limit: 100, ...(conversationId !== null && { conversationId }) };
    const { items } = await this.#parts.runs.list(filter);
    const begun = items.find(
      ({ createdAt, annotations }) => createdAt >= time && annotations?.["schedule"] === id,
    );
    return begun?.id;
  }

  /** Of a token only while it is there: what it allowed ends with it. */
  async #isValid({ kind, id }: StoredSchedule["maker"]): Promise<boolean> {
    const { access, clock } = this.#parts;
    if (kind === "owner" || access === undefined) return true;
    const token = (await access.tokens()).find((one) => one.id === id);
    return token !== undefined && (token.expiresAt === null || Date.parse(token.expiresAt) > clock.now());
  }

  async #request(schedule: StoredSchedule): Promise<NewRun> {
    const { conversationId, maxIterations, maxCostUsd, workingDirectory, maker } = schedule;
    const there = conversationId !== null && (await this.#parts.conversations.find(conversationId));
    return {
      kind: "autonomous",
      model: schedule.model,
      messages: [{ role: "user", content: schedule.prompt }],
      builtinTools: schedule.tools ?? "all",
      enableMemory: true,
      maxCostUsd,
      annotations: { background: true, schedule: schedule.id },
      caller: maker,
      ...(there ? { conversationId: there.id } : { newConversation: true, title: schedule.name }),
      ...defined({
        maxIterations: maxIterations ?? undefined,
        workingDirectory: workingDirectory ?? undefined,
      }),
    };
  }
}

const ended: Outcome = {
  lastError: "The token that made this schedule has ended. Make the schedule again.",
  enabled: false,
  nextAt: null,
  missed: 1,
};
