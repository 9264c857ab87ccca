import type { Usage } from "../contract/provider.ts";
import type { ModelDetails, RunOutcome } from "../contract/run-outcome.ts";
import { defined } from "../util/defined.ts";
import { costOf } from "./run-cost.ts";

const providerOf = (by: ModelDetails) => ({
  type: by.providerType,
  name: by.providerName,
  is_local: by.isLocal,
  base_url: by.baseUrl,
  id: by.providerId,
});

const modelOf = (by: ModelDetails) => ({
  context_window: by.contextWindow,
  max_output_tokens: by.maxOutputTokens,
  supports_tools: by.supportsTools,
  supports_vision: by.supportsVision,
  supports_streaming: true,
  family: by.family,
  source: by.source,
});

function estimateOf({ prices, priceNote = "no price is known for this model" }: ModelDetails, cost: number) {
  const { prompt = 0, completion = 0, note = priceNote } = prices ?? {};
  return {
    estimated_cost_usd: cost,
    prompt_cost_per_1k: prompt,
    completion_cost_per_1k: completion,
    currency: "USD",
    note,
    known: prices !== undefined,
  };
}

const factsOf = (by: ModelDetails, cost: number) => ({
  provider: providerOf(by),
  model_info: modelOf(by),
  cost_estimate: estimateOf(by, cost),
});

/** The `service_metadata` of an answer. */
export function metadataOf(outcome: RunOutcome) {
  const { run, answeredBy, duration, warnings, memories, usageSource, statefulMarker, branchedFrom } =
    outcome;
  return defined({
    ...(answeredBy && factsOf(answeredBy, run.cost)),
    workflow: {
      iterations: run.iterations,
      max_iterations: run.maxIterations,
      tool_call_count: run.toolCallCount,
      tools_used: run.toolsUsed,
      duration_seconds: duration,
      completion_reason: run.completionReason,
      had_errors: run.hadErrors,
    },
    conversation_id: run.conversationId,
    run_id: run.id,
    usage_source: usageSource,
    warnings,
    memories,
    branched_from: branchedFrom,
    stateful_marker: statefulMarker,
  });
}

/** The metadata of an answer that went past conversations and tools. */
export function bypassMetadata(
  by: ModelDetails,
  usage: Usage,
  facts: {
    readonly duration: number;
    readonly warnings: readonly string[];
    readonly estimated: boolean;
    readonly failed: boolean;
  },
) {
  return {
    ...factsOf(by, costOf(by, usage)),
    workflow: {
      iterations: 1,
      max_iterations: 1,
      tool_call_count: 0,
      tools_used: [],
      duration_seconds: facts.duration,
      completion_reason: facts.failed ? "error" : "workflow_complete",
      had_errors: facts.failed,
    },
    usage_source: facts.estimated ? "estimated" : "provider",
    warnings: facts.warnings,
  };
}
