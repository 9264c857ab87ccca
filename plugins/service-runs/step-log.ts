import { AppError, defined, messageOf, type Verdict, type Write } from "@pergola/sdk";
import type {
  Parts,
  RunStepLog,
  StoredRun,
  StoredStep,
  StoredSteps,
  TapEffect,
  TapWatch,
} from "@pergola/sdk/host";
import { describeChange } from "./describe-change.ts";
import { areSame, differencesOf, type Differences } from "./differences.ts";
import { cutText } from "./excerpts.ts";

type Kind = StoredStep["kind"];
type Described = Partial<Pick<StoredStep, "before" | "after" | "isSame" | "note">>;

/** Characters of a note. */
const mostOfNote = 1000;

const isAnswer = (write: Write): boolean =>
  write.collection === "messages" && "put" in write && (write.put as { role?: string }).role !== "user";

/**
 * The steps of one run that nothing else keeps. They are stored in commits that are made anyway: with an
 * answer, with the results of calls, and whenever the run does not go on. Before its first answer a run that
 * is cut begins again.
 */
export class StepLog implements RunStepLog {
  readonly #parts: Pick<Parts, "clock" | "log" | "redact">;
  /** Those that are not stored yet. */
  #pending: StoredStep[] = [];
  #storedCount: number;
  /** What each plugin has changed last, by plugin and hook. */
  readonly #last = new Map<string, Differences>();

  /** `storedCount`: how many an earlier start of the service has stored. */
  constructor(parts: Pick<Parts, "clock" | "log" | "redact">, storedCount = 0) {
    this.#parts = parts;
    this.#storedCount = storedCount;
  }

  /** Those that are not stored yet, and the number of those before them. */
  get pending(): { readonly from: number; readonly steps: readonly StoredStep[] } {
    return { from: this.#storedCount, steps: this.#pending };
  }

  add(step: Omit<StoredStep, "at">): void {
    const milliseconds = Math.round(step.milliseconds * 100) / 100;
    const at = Math.round(this.#parts.clock.now() - milliseconds);
    this.#pending.push({ ...step, at, milliseconds });
  }

  watch(kind: Kind, callId?: string): TapWatch {
    return (effect) => {
      try {
        const described = this.#describe(effect);
        const { plugin, hook, milliseconds } = effect;
        if (described !== undefined)
          this.add({ kind, milliseconds, plugin, hook, ...defined({ callId, ...described }) });
      } catch (error) {
        this.#parts.log.warn({ error, plugin: effect.plugin }, "what a plugin changed cannot be shown");
      }
    };
  }

  /** Undefined where nothing has changed after all. */
  #describe({ plugin, hook, before, after, error }: TapEffect): Described | undefined {
    if (error !== undefined) return { note: this.#note(`failed: ${failureOf(error)}`) };
    if (hook === "authorizeToolCall") return this.#decision(after as Verdict);
    const differences = differencesOf(before, after);
    if (differences.shown.length === 0) return undefined;
    const key = `${plugin} ${hook}`;
    if (areSame(differences, this.#last.get(key))) return { isSame: true };
    this.#last.set(key, differences);
    return describeChange(differences, this.#parts.redact);
  }

  #decision(verdict: Verdict): Described {
    if (verdict.decision === "allow") return { after: "allow" };
    const reason = verdict.decision === "ask" ? verdict.reason : verdict.message;
    return { after: verdict.decision, note: this.#note(reason) };
  }

  #note(text: string): string {
    return cutText(this.#parts.redact(text), mostOfNote);
  }

  /**
   * The writes that store what is not stored yet, together with `writes`. Of a run that is refused nothing is
   * kept of what its conversation would have held.
   */
  writes(
    { id: runId, conversationId, status }: StoredRun,
    writes: readonly Write[],
    isRefused: boolean,
  ): readonly Write[] {
    const mayWait = status === "running" && !writes.some(isAnswer);
    if (mayWait || this.#pending.length === 0) return [];
    const from = this.#storedCount;
    const steps = isRefused ? this.#pending.map(withoutTexts) : this.#pending;
    const put: StoredSteps = { id: `${runId}/${from}`, runId, conversationId, from, steps };
    this.#storedCount += steps.length;
    this.#pending = [];
    if (status === "ended") this.#last.clear();
    return [{ collection: "run_steps", put }];
  }
}

const withoutTexts = ({ before, after, ...step }: StoredStep): StoredStep =>
  step.kind === "shape" ? step : { ...step, ...defined({ before, after }) };

const failureOf = (error: unknown): string =>
  AppError.is(error) ? `${error.code}: ${error.message}` : messageOf(error);
