import {
  estimateTokens,
  type AppError,
  type ModelCall,
  type ModelEntry,
  type RunContext,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";
import { pick, StreamAccumulator, type Parts } from "@pergola/sdk/host";
import type { Flow } from "./flow.ts";

const folded = ["text", "reasoning", "finishReason", "title", "stopped", "statefulMarker", "extra"] as const;

/** One model call, folded. `extra` is what the provider wants to see again with this answer. */
export interface Reply extends Pick<StreamAccumulator, (typeof folded)[number]> {
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
  readonly estimated: boolean;
  /** Estimated tokens of what plugins added to the call. */
  readonly added: number;
  /** The call failed; the rest is what came before. */
  readonly error: AppError | undefined;
}

type Streaming = Pick<Flow, "parts" | "run" | "streamed">;

/** One iteration's model call: shaped by plugins, streamed to the client, folded into a reply. */
export async function askModel(
  flow: Streaming,
  call: Omit<ModelCall, "model">,
  context: RunContext,
): Promise<Reply> {
  const { parts, run } = flow;
  const shaped = await parts.hooks.shapeModelCall({ ...call, model: run.model.name }, context);
  const fold = newFold(flow);
  const begun = parts.clock.now();
  const error = await streamInto(fold, flow, shaped);
  const duration = parts.clock.now() - begun;
  const calls = fold.finish();
  const estimated = estimateTokens(shaped);
  const usage = fold.usage ?? { promptTokens: estimated, completionTokens: completionTokens(fold, calls) };
  void parts.hooks.modelCallEnded({
    runId: run.id,
    conversationId: run.conversationId,
    model: run.model,
    usage,
    duration,
    error: error?.message ?? null,
  });
  if (fold.usage !== undefined && fold.usage.promptTokens < estimated / 2)
    run.warnings.push("context may have been cut by the runtime");
  const added = Math.max(0, estimated - estimateTokens(call));
  return {
    ...pick(fold, ...folded),
    calls,
    usage,
    added,
    error,
    estimated: fold.usage === undefined,
  };
}

/** Folds a stream and emits what the client may see of it; text after earlier text begins a paragraph. */
function newFold({ parts, run, streamed }: Streaming): StreamAccumulator {
  return new StreamAccumulator(
    () => parts.redactStream(),
    {
      text: (text) => run.emit({ type: "text", text }),
      reasoning: (text) => {
        if (run.request.includeReasoning) run.emit({ type: "reasoning", text });
      },
      warn: (text) => void run.warnings.push(text),
    },
    streamed !== "",
  );
}

/** The failure with which the stream broke off; undefined when it came to its end. */
async function streamInto(
  fold: StreamAccumulator,
  { parts, run }: Streaming,
  call: ModelCall,
): Promise<AppError | undefined> {
  const warning = (text: string): void => void run.warnings.push(text);
  const answered = (model: ModelEntry): void => {
    run.onAnswer(model);
    warnOfNoPrice(parts, model, warning);
  };
  try {
    const events = parts.models.stream(run.request.model, call, run.signal, { onModel: answered, warning });
    for await (const event of events) fold.take(event);
    return undefined;
  } catch (error) {
    return parts.errorOf(error, { run: run.id });
  }
}

/** At four characters each; the texts are not put together for it, since they may be very long. */
function completionTokens({ text, reasoning }: StreamAccumulator, calls: readonly ToolCall[]): number {
  const lengths = calls.map((call) => call.name.length + call.arguments.length);
  return Math.ceil(lengths.reduce((sum, length) => sum + length, text.length + reasoning.length) / 4);
}

/** Warns where a limit of cost cannot be enforced. */
function warnOfNoPrice(
  { preferences }: Parts,
  { modelId, prices, priceNote }: ModelEntry,
  warn: (text: string) => void,
): void {
  if (prices !== undefined || preferences.get<number>("runs.max_cost_usd") === 0) return;
  warn(`runs.max_cost_usd does not count for ${modelId}: ${priceNote ?? "no price is known for it"}`);
}
