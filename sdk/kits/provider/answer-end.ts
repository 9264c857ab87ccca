import { defined, type FinishReason, type ModelEvent, type Usage } from "@pergola/sdk";

/** Counts of tokens as an answer gives them; undefined where it gives none. */
export type TokenCounts = Readonly<Record<keyof Usage, number | undefined>>;

/** Usage out of what was counted; undefined if neither the prompt nor the answer was. */
export function buildUsage(counts: TokenCounts): Usage | undefined {
  const { promptTokens, completionTokens } = counts;
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return defined({
    ...counts,
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  });
}

/**
 * Why an answer ended, where vendors disagree: a cut or filtered answer stays one, and any other that calls
 * tools ends with `tool_calls`, whatever the vendor calls it.
 */
export function finishReasonOf(reason: FinishReason | undefined, calls: number): FinishReason {
  if (reason === "length" || reason === "content_filter") return reason;
  return calls > 0 ? "tool_calls" : "stop";
}

/** Characters of a model's name that are handed on. */
const longestName = 256;

/** A runtime may name a file or folder: where that lies is nobody's business. */
const nameOf = (model: string): string => {
  const isPath = /^(?:~|[a-z]:)?[/\\]/i.test(model);
  const name = isPath ? model.split(/[/\\]/).findLast((part) => part !== "") : model;
  return (name ?? "").slice(0, longestName);
};

/**
 * What `PartReader.end` gives: usage, if it is known, and the end. `model`: as the answer names the one that
 * wrote it; "" where it names none.
 */
export function closingEvents(
  usage: Usage | undefined,
  reason: FinishReason,
  model = "",
): readonly ModelEvent[] {
  const name = nameOf(model);
  const end: ModelEvent = { type: "end", reason, ...(name !== "" && { model: name }) };
  if (usage === undefined) return [end];
  return [{ type: "usage", usage }, end];
}
