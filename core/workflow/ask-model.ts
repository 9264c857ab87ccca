import {
  estimateTokens,
  textTokens,
  type AppError,
  type FinishReason,
  type JsonObject,
  type ModelCall,
  type ModelEntry,
  type RunContext,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";
import { FoldedStream, type ActiveRun, type Parts } from "@pergola/sdk/host";

/** One model call, folded. */
export interface Reply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly estimated: boolean;
  readonly title: string | undefined;
  readonly stopped: boolean;
  readonly statefulMarker: string | undefined;
  /** What the provider wants to see again with this answer. */
  readonly extra: JsonObject | undefined;
  /** Estimated tokens of what plugins added to the call. */
  readonly added: number;
  /** The call failed; the rest is what came before. */
  readonly error: AppError | undefined;
}

/** One iteration's model call: shaped by plugins, streamed to the client, folded into a reply. */
export async function askModel(
  parts: Parts,
  run: ActiveRun,
  call: Omit<ModelCall, "model">,
  context: RunContext,
  separate: boolean,
): Promise<Reply> {
  const shaped = await parts.hooks.shapeModelCall({ ...call, model: run.model.name }, context);
  const warn = (text: string): void => void run.warnings.push(text);
  const reasoning = (text: string): void =>
    run.request.includeReasoning ? run.emit({ type: "reasoning", text }) : undefined;
  const fold = new FoldedStream(
    () => parts.redactStream(),
    { text: (text) => run.emit({ type: "text", text }), reasoning, warn },
    separate,
  );
  const begun = parts.clock.now();
  let failure: AppError | undefined;
  const told = {
    answered: (by: typeof run.model) => {
      run.answered(by);
      warnOfNoPrice(parts, by, warn);
    },
    warning: warn,
  };
  try {
    for await (const event of parts.models.stream(run.request.model, shaped, run.signal, told))
      fold.take(event);
  } catch (error) {
    failure = parts.errorOf(error, { run: run.id });
  }
  const calls = fold.finish();
  const sent = estimateTokens(shaped);
  const usage = fold.usage ?? {
    promptTokens: sent,
    completionTokens: textTokens(
      fold.text + fold.reasoning + calls.map(({ name, arguments: args }) => name + args).join(""),
    ),
  };
  const summary = {
    runId: run.id,
    conversationId: run.conversationId,
    model: run.model,
    usage,
    duration: parts.clock.now() - begun,
  };
  void parts.hooks.modelCallEnded({ ...summary, error: failure?.message ?? null });
  if (fold.usage !== undefined && fold.usage.promptTokens < sent / 2)
    warn("context may have been cut by the runtime");
  const { text, reasoning: thought, title, stopped, finishReason, statefulMarker, extra } = fold;
  const said = { text, reasoning: thought, calls, title, stopped, finishReason, statefulMarker, extra };
  return {
    ...said,
    usage,
    added: Math.max(0, sent - estimateTokens(call)),
    estimated: fold.usage === undefined,
    error: failure,
  };
}

/** A limit of cost that cannot be kept is told. */
function warnOfNoPrice(
  { preferences }: Parts,
  { modelId, prices, priceNote }: ModelEntry,
  warn: (text: string) => void,
): void {
  if (prices !== undefined || preferences.get<number>("runs.max_cost_usd") === 0) return;
  warn(`runs.max_cost_usd does not count for ${modelId}: ${priceNote ?? "no price is known for it"}`);
}
