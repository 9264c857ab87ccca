import {
  defined,
  estimateTokens,
  type AppError,
  type ModelCall,
  type ModelEntry,
  type ModelEvent,
  type RunContext,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";
import { pick, StreamAccumulator, type NamedCall } from "@pergola/sdk/host";
import { costLimits } from "./cost-limits.ts";
import type { Flow } from "./flow.ts";
import { CallStream } from "./stream-calls.ts";

const folded = ["text", "reasoning", "finishReason", "title", "stopped", "statefulMarker", "extra"] as const;

/** One model call, folded. `extra` is what the provider wants to see again with this answer. */
export interface Reply extends Pick<StreamAccumulator, (typeof folded)[number]> {
  readonly calls: readonly NamedCall[];
  /** Those of them that the client has already, under their ids. */
  readonly handedOn: ReadonlySet<NamedCall>;
  readonly usage: Usage;
  readonly estimated: boolean;
  /** Estimated tokens of what plugins added to the call. */
  readonly added: number;
  /** Milliseconds. */
  readonly duration: number;
  /** What it was offered and how it was to answer, once plugins had their say. */
  readonly asked: Pick<ModelCall, "tools" | "sampling">;
  /** The call failed; the rest is what came before. */
  readonly error: AppError | undefined;
}

type Streaming = Pick<Flow, "parts" | "run" | "output">;

/** One iteration's model call: shaped by plugins, streamed to the client, folded into a reply. */
export async function askModel(
  flow: Streaming,
  call: Omit<ModelCall, "model">,
  context: RunContext,
): Promise<Reply> {
  const { parts, run } = flow;
  const asked: ModelCall = { ...call, model: run.model.name };
  const shaped = await parts.hooks.shapeModelCall(asked, context, run.steps.watch("shape"));
  const callStream = new CallStream(flow);
  const fold = newFold(flow, callStream);
  const begun = parts.clock.now();
  const trace = parts.telemetry?.sentWithModelCall(run.record, begun);
  const sent = defined({ ...shaped, trace });
  const { error, first } = await streamInto({ fold, callStream }, flow, sent);
  const duration = parts.clock.now() - begun;
  const { calls, handedOn } = await finishCalls({ fold, callStream }, error);
  const estimated = estimateTokens(shaped);
  const usage = fold.usage ?? { promptTokens: estimated, completionTokens: completionTokens(fold, calls) };
  void parts.hooks.modelCallEnded({
    runId: run.id,
    conversationId: run.conversationId,
    model: run.model,
    usage,
    duration,
    error: error?.message ?? null,
    startedAt: begun,
    content: () => ({ ...pick(fold, "text", "reasoning"), messages: shaped.messages, calls }),
    ...defined({
      errorCode: error?.code,
      firstChunk: first && first - begun,
      finishReason: error === undefined ? fold.finishReason : undefined,
      responseModel: fold.responseModel,
      trace: run.record.trace,
    }),
  });
  if (fold.usage !== undefined && fold.usage.promptTokens < estimated / 2)
    run.warnings.push("context may have been cut by the runtime");
  const added = Math.max(0, estimated - estimateTokens(call));
  return {
    ...pick(fold, ...folded),
    calls,
    handedOn,
    usage,
    added,
    duration,
    asked: pick(shaped, "tools", "sampling"),
    error,
    estimated: fold.usage === undefined,
  };
}

/** Folds a stream and emits what the client may see of it; text after earlier text begins a paragraph. */
function newFold({ parts, run, output }: Streaming, callStream: CallStream): StreamAccumulator {
  return new StreamAccumulator(
    () => parts.redactStream(),
    {
      text: (text) => {
        if (output === undefined) run.emit({ type: "text", text });
      },
      reasoning: (text) => {
        if (run.request.includeReasoning) run.emit({ type: "reasoning", text });
      },
      call: (index, call, piece) => callStream.take(index, call, piece),
      warn: (text) => void run.warnings.push(text),
    },
    run.streamedText !== "",
  );
}

interface Folding {
  readonly fold: StreamAccumulator;
  readonly callStream: CallStream;
}

/** The calls of an answer that has come to its end. Those of one that broke off are not ended. */
async function finishCalls(
  { fold, callStream }: Folding,
  error: AppError | undefined,
): Promise<Pick<Reply, "calls" | "handedOn">> {
  const calls = fold.finish();
  if (error !== undefined) return { calls: [...calls.values()], handedOn: new Set() };
  if (!fold.stopped) await callStream.begin();
  const named = callStream.end();
  return {
    calls: [...calls].map(([index, call]) => named.get(index) ?? call),
    handedOn: new Set(named.values()),
  };
}

/** Events that are a piece of the answer. */
const pieces: ReadonlySet<ModelEvent["type"]> = new Set(["text", "reasoning", "tool_call"]);

interface Streamed {
  /** The failure with which the stream broke off; undefined when it came to its end. */
  readonly error?: AppError;
  /** When the first piece of the answer came, in milliseconds since 1970. */
  readonly first?: number | undefined;
}

async function streamInto(
  { fold, callStream }: Folding,
  { parts, run }: Streaming,
  call: ModelCall,
): Promise<Streamed> {
  let first: number | undefined;
  const warning = (text: string): void => void run.warnings.push(text);
  const answered = (model: ModelEntry): void => {
    run.onAnswer(model, estimateTokens(call));
    warnOfNoPrice({ parts, run }, model, warning);
  };
  try {
    const observer = { onModel: answered, warning, stored: run.done };
    const events = parts.models.stream(run.request.model, call, run.signal, observer);
    for await (const event of events) {
      if (first === undefined && pieces.has(event.type)) first = parts.clock.now();
      fold.take(event);
      if (!callStream.isBehind || fold.stopped) continue;
      fold.flush();
      await callStream.begin();
    }
    return { first };
  } catch (error) {
    return { first, error: parts.errorOf(error, { run: run.id }) };
  }
}

/** At four characters each; the texts are not put together for it, since they may be very long. */
function completionTokens({ text, reasoning }: StreamAccumulator, calls: readonly ToolCall[]): number {
  const lengths = calls.map((call) => call.name.length + call.arguments.length);
  return Math.ceil(lengths.reduce((sum, length) => sum + length, text.length + reasoning.length) / 4);
}

/** Warns where a limit of cost cannot be enforced. */
function warnOfNoPrice(
  { parts, run }: Pick<Flow, "parts" | "run">,
  { modelId, prices, priceNote }: ModelEntry,
  warn: (text: string) => void,
): void {
  if (prices !== undefined) return;
  for (const { name } of costLimits(parts, run))
    warn(`${name} does not count for ${modelId}: ${priceNote ?? "no price is known for it"}`);
}
