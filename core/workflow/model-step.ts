import { defined } from "@pergola/sdk";
import { costOf, type Parts, type RunStepLog, type StoredRun } from "@pergola/sdk/host";
import type { Reply } from "./ask-model.ts";
import type { Flow } from "./flow.ts";

type Outline = NonNullable<StoredRun["outline"]>;
type Step = Parameters<RunStepLog["add"]>[0];

const kinds = ["system", "personality", "tools", "summary", "history", "block", "memories"] as const;

/** A model call as a step of its run: who answered, what it saw in estimated tokens, and what it cost. */
export function modelStep(
  { parts, run }: Flow,
  { usage, estimated, duration, error }: Reply,
  outline: Outline,
): Step {
  const { model } = run;
  const isOther = model.modelId !== outline.model;
  const { promptTokens, completionTokens } = usage;
  const how = estimated ? " (estimated)" : "";
  const facts = [
    `iteration ${run.record.iterations}: ${model.modelId}`,
    `saw about ${sawOf(outline)}`,
    `used ${promptTokens} + ${completionTokens} tokens${how}`,
    ...(error === undefined ? [] : [`failed: ${parts.redact(error.message)}`]),
  ];
  return {
    kind: "model",
    milliseconds: duration,
    plugin: pluginOf(parts, model.providerType),
    ...defined({ before: isOther ? outline.model : undefined, after: isOther ? model.modelId : undefined }),
    note: facts.join("; "),
    tokens: promptTokens + completionTokens,
    costUsd: model.prices === undefined ? null : costOf(model, usage),
  };
}

const pluginOf = ({ registered }: Parts, type: string): string | null =>
  registered.pluginOfProvider(type) ?? null;

function sawOf(outline: Outline): string {
  const total = kinds.reduce((sum, kind) => sum + outline[kind], 0);
  const parts = kinds.filter((kind) => outline[kind] > 0).map((kind) => `${kind} ${outline[kind]}`);
  return `${total} tokens (${parts.join(", ")})`;
}
