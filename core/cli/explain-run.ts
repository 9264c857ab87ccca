import { countOf } from "@pergola/sdk";
import { localTime } from "./local-time.ts";
import { printJson, printNote, printWrapped } from "./print-result.ts";
import { withHint, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Step {
  readonly at: string;
  readonly milliseconds: number;
  readonly title: string;
  readonly plugin: string | null;
  readonly hook: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly note: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

interface Explained {
  readonly steps: readonly Step[];
  readonly count: number;
}

interface Options extends CommonOptions {
  readonly full?: boolean;
}

/** Lines of a text that are shown unless all are wanted. */
const fewLines = 4;

/** Shows what happened in a run, step by step: whose doing it was, what it changed, took and cost. */
export async function explainRun(
  service: Service,
  id: string,
  { full = false, json }: Options,
): Promise<void> {
  const asked = service.get<Explained>(`/api/runs/${encodeURIComponent(id)}/explain`);
  const explained = await withHint(asked, "`pergola runs list` lists the runs.");
  if (json) return printJson(explained);
  const { steps } = explained;
  printWrapped(steps.flatMap((step) => linesOf(step, full)));
  const [first] = steps;
  if (first === undefined) return printNote("Nothing is kept of how this run went.");
  printNote(summaryOf(steps, first));
}

function linesOf(step: Step, full: boolean): readonly string[] {
  const { at, milliseconds, title, plugin, hook, note } = step;
  const time = localTime(at).slice(11, 16) + at.slice(16, 23);
  const who = [plugin ?? "the service", hook === null ? "" : `(${hook})`].join(" ").trim();
  const facts = [`${Math.round(milliseconds)} ms`, ...costOf(step)].join(", ");
  return [
    `${styled("dim", time)} ${title.padEnd(27)} ${styled("bold", visible(who))} ${styled("dim", facts)}`,
    ...(note === null ? [] : [`    ${visible(note)}`]),
    ...marked("-", step.before, full),
    ...marked("+", step.after, full),
  ];
}

function costOf({ tokens, costUsd }: Step): readonly string[] {
  if (tokens === null) return [];
  return [countOf(tokens, "token"), costUsd === null ? "no known price" : `${costUsd} USD`];
}

/** A text behind a sign, or its first lines. */
function marked(sign: string, text: string | null, full: boolean): readonly string[] {
  if (text === null || text === "") return [];
  const lines = text.split("\n");
  const shown = full ? lines : lines.slice(0, fewLines);
  const left = lines.length - shown.length;
  const rest = left > 0 ? [styled("dim", `      ${countOf(left, "more line")}; --full shows all`)] : [];
  return [...shown.map((line) => `    ${sign} ${visible(line)}`), ...rest];
}

function summaryOf(steps: readonly Step[], first: Step): string {
  const calls = steps.filter(({ tokens }) => tokens !== null);
  const tokens = calls.reduce((sum, step) => sum + (step.tokens ?? 0), 0);
  const facts = [
    countOf(steps.length, "step"),
    countOf(calls.length, "model call"),
    countOf(tokens, "token"),
  ];
  return `Begun ${localTime(first.at)}: ${facts.join(", ")}.`;
}
