import { countOf } from "@pergola/sdk";
import { leftOutNouns, Tally, type LeftOut } from "../reading/tally.ts";
import type { Outcome } from "./send-package.ts";

/** A conversation, or a file, that was not imported, and why. */
export interface Failure {
  readonly title: string;
  readonly message: string;
}

/** What an import has done. */
export interface ImportReport {
  /** Ids of the conversations that are new here. */
  readonly imported: readonly string[];
  /** Ids of those that were replaced by a longer export. */
  readonly replaced: readonly string[];
  readonly messages: number;
  readonly memories: number;
  /** Conversations that were here, with all their messages. */
  readonly present: number;
  /** Titles of those that have more messages in the export, and stay as they were. */
  readonly grown: readonly string[];
  /** The same, where messages are here that the export does not have. */
  readonly continued: readonly string[];
  /** Conversations in which nothing was said. */
  readonly empty: number;
  readonly failed: readonly Failure[];
  /** What had no place here, of the conversations that were imported. */
  readonly leftOut: Partial<Record<LeftOut, number>>;
  /** Conversations by the model that they used, where that is not here. */
  readonly unknownModels: Readonly<Record<string, number>>;
  /** What the service said, and of how many conversations. */
  readonly warnings: Readonly<Record<string, number>>;
  /** It was cancelled; or the message of what ended it early. */
  readonly stopped: boolean | string;
}

/** Gathers what an import does. */
export class Account {
  readonly #imported: string[] = [];
  readonly #replaced: string[] = [];
  readonly #grown: string[] = [];
  readonly #continued: string[] = [];
  readonly #failed: Failure[] = [];
  readonly #models = new Map<string, number>();
  readonly #warnings = new Map<string, number>();
  readonly #leftOut = new Tally();
  #counts = { messages: 0, memories: 0, present: 0, empty: 0 };
  stopped: boolean | string = false;

  get conversations(): number {
    return this.#imported.length + this.#replaced.length;
  }

  get messages(): number {
    return this.#counts.messages;
  }

  empty(): void {
    this.#counts.empty += 1;
  }

  failed(title: string, message: string): void {
    this.#failed.push({ title, message });
  }

  /** `model`: what it used, if that is not here. */
  done(
    outcome: Outcome,
    {
      title,
      leftOut,
      model,
    }: { readonly title: string; readonly leftOut: Tally; readonly model?: string | undefined },
  ): void {
    if (outcome.kind === "present") this.#counts.present += 1;
    else if (outcome.kind === "grown") (outcome.isContinued ? this.#continued : this.#grown).push(title);
    else {
      const { conversationId, imported, warnings } = outcome.answer;
      (outcome.kind === "imported" ? this.#imported : this.#replaced).push(conversationId);
      this.#counts.messages += imported.messages;
      this.#counts.memories += imported.memories;
      this.#leftOut.addAll(leftOut);
      for (const warning of warnings) increase(this.#warnings, warning);
      if (model !== undefined) increase(this.#models, model);
    }
  }

  report(): ImportReport {
    return {
      imported: this.#imported,
      replaced: this.#replaced,
      ...this.#counts,
      grown: this.#grown,
      continued: this.#continued,
      failed: this.#failed,
      leftOut: this.#leftOut.counts(),
      unknownModels: Object.fromEntries(this.#models),
      warnings: Object.fromEntries(this.#warnings),
      stopped: this.stopped,
    };
  }
}

const increase = (counts: Map<string, number>, key: string): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

const mostNamed = 5;
const ofConversations = (count: number): string => countOf(count, "conversation");

/** The first few, and how many more there are. */
function named(items: readonly string[], separator = ", "): string {
  const shown = items.slice(0, mostNamed).join(separator);
  return items.length > mostNamed ? `${shown}${separator}and ${items.length - mostNamed} more` : shown;
}

const quoted = (titles: readonly string[]): string => named(titles.map((title) => `"${title}"`));

const counted = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts)
    .sort(([, left], [, right]) => right - left)
    .map(([what, count]) => `${what} (${count})`);

function leftOutText(leftOut: ImportReport["leftOut"]): string {
  const texts = Object.entries(leftOut).map(([kind, count]) => {
    const [noun, plural]: readonly [string, string?] = leftOutNouns[kind as LeftOut];
    return countOf(count, noun, plural);
  });
  return texts.length === 0 ? "" : `Left out: ${texts.join(", ")}.`;
}

function firstLine({ imported, messages, memories }: ImportReport): string {
  const said = countOf(messages, "message");
  const remembered = memories === 0 ? "" : ` and ${countOf(memories, "memory", "memories")}`;
  return `Imported ${ofConversations(imported.length)}, ${said}${remembered} in all.`;
}

function conflictLines({ replaced, present, grown, continued }: ImportReport): readonly string[] {
  const lines: string[] = [];
  if (replaced.length > 0) lines.push(`Replaced ${ofConversations(replaced.length)} by a longer export.`);
  if (present > 0) lines.push(`${ofConversations(present)} had been imported before.`);
  if (grown.length > 0)
    lines.push(
      `${ofConversations(grown.length)} had been imported before and got longer since: ${quoted(grown)}. ` +
        "--on-conflict replace takes the new messages over.",
    );
  if (continued.length > 0)
    lines.push(
      `${ofConversations(continued.length)} changed since, and messages are here that the export has not: ` +
        `${quoted(continued)}. They stay as they are; --on-conflict new_id imports copies.`,
    );
  return lines;
}

/** What an import has done, in words. */
export function reportLines(report: ImportReport): readonly string[] {
  const { empty, failed, leftOut, unknownModels, warnings, stopped } = report;
  const models = counted(unknownModels);
  return [
    firstLine(report),
    ...conflictLines(report),
    empty > 0 ? `${ofConversations(empty)} without a message ${empty === 1 ? "was" : "were"} left out.` : "",
    leftOutText(leftOut),
    models.length > 0
      ? `Models that are not here: ${named(models)}. The default model goes on with them.`
      : "",
    ...counted(warnings),
    ...failed.slice(0, mostNamed).map(({ title, message }) => `Not imported: ${title}: ${message}`),
    failed.length > mostNamed ? `${failed.length - mostNamed} more were not imported.` : "",
    stoppedText(stopped),
  ].filter((line) => line !== "");
}

function stoppedText(stopped: boolean | string): string {
  if (stopped === false) return "";
  const reason = stopped === true ? "Stopped." : `Stopped: ${stopped}`;
  return `${reason} The same command goes on with the rest.`;
}
