import type { ModelCallSummary, RunRecord, ToolCallSummary } from "@pergola/sdk";
import type { EmbeddingSummary, TracedRun } from "@pergola/sdk/host";
import type { Content } from "./content.ts";
import { attribute, modelName, providerName } from "./gen-ai.ts";
import type { Span } from "./span.ts";
import {
  contextBelow,
  contextOfModelCall,
  contextOfRun,
  contextOfToolCall,
  readTraceparent,
} from "./trace-context.ts";

const local = ({ spanId }: { readonly spanId: string }) => ({ spanId, isRemote: false });

function parentIn(trace: string | undefined, isRemote: boolean): Span["parent"] {
  const above = readTraceparent(trace);
  return above && { spanId: above.spanId, isRemote };
}

/** `content` absent: the span has no texts. */
export function modelCallSpan(call: ModelCallSummary, end: number, content?: Content): Span {
  const { model, usage, duration, firstChunk, error, errorCode } = call;
  const { finishReason, responseModel, runId, trace, startedAt = end - duration } = call;
  const run: TracedRun = { id: runId, ...(trace !== undefined && { trace }) };
  return {
    context: contextOfModelCall(run, startedAt),
    parent: local(contextOfRun(run)),
    kind: "client",
    name: `chat ${modelName(model.modelId)}`,
    start: startedAt,
    end: startedAt + duration,
    attributes: {
      [attribute.operation]: "chat",
      [attribute.provider]: providerName(model.providerType),
      [attribute.model]: modelName(model.modelId),
      [attribute.responseModel]: responseModel,
      [attribute.conversation]: call.conversationId,
      [attribute.finishReasons]: finishReason && [finishReason],
      [attribute.firstChunk]: firstChunk === undefined ? undefined : firstChunk / 1000,
      [attribute.inputTokens]: usage.promptTokens,
      [attribute.outputTokens]: usage.completionTokens,
      [attribute.cachedTokens]: usage.cachedTokens,
      [attribute.error]: errorCode ?? (error === null ? undefined : "error"),
      ...content?.ofModelCall(call),
    },
    failure: error === null ? undefined : (errorCode ?? "error"),
  };
}

export function toolCallSpan(summary: ToolCallSummary, end: number, content?: Content): Span {
  const { call, context, result, duration } = summary;
  const { runId, trace } = context;
  const run = runId === null ? undefined : { id: runId, ...(trace !== undefined && { trace }) };
  const code = result.success ? undefined : (result.error_code ?? "error");
  return {
    context: contextOfToolCall(context, call.id),
    parent: run === undefined ? parentIn(trace, true) : local(contextOfRun(run)),
    kind: "internal",
    name: `execute_tool ${call.tool}`,
    start: end - duration,
    end,
    attributes: {
      [attribute.operation]: "execute_tool",
      [attribute.tool]: call.tool,
      [attribute.toolOperation]: call.operation,
      [attribute.toolType]: "function",
      [attribute.toolCall]: call.id,
      [attribute.conversation]: context.conversationId,
      [attribute.error]: code,
      ...content?.ofToolCall(summary),
    },
    failure: code,
  };
}

export function embeddingSpan(call: EmbeddingSummary): Span {
  const { id, model, inputTokens, dimensions, startedAt, duration, errorCode, trace, isRemote } = call;
  return {
    context: contextBelow(trace, id),
    parent: parentIn(trace, isRemote),
    kind: "client",
    name: `embeddings ${modelName(model.modelId)}`,
    start: startedAt,
    end: startedAt + duration,
    attributes: {
      [attribute.operation]: "embeddings",
      [attribute.provider]: providerName(model.providerType),
      [attribute.model]: modelName(model.modelId),
      [attribute.inputTokens]: inputTokens,
      [attribute.dimensions]: dimensions,
      [attribute.error]: errorCode,
    },
    failure: errorCode,
  };
}

/** `providerType`: of the provider that its record names. */
export function runSpan(run: RunRecord, providerType: string): Span {
  const { usage, completionReason, error, parentRunId, createdAt, endedAt } = run;
  return {
    context: contextOfRun(run),
    parent: parentIn(run.trace, parentRunId === null),
    kind: "internal",
    name: "invoke_agent pergola",
    start: Date.parse(createdAt),
    end: Date.parse(endedAt ?? createdAt),
    attributes: {
      [attribute.operation]: "invoke_agent",
      [attribute.agent]: "pergola",
      [attribute.provider]: providerName(providerType),
      [attribute.model]: modelName(run.model),
      [attribute.conversation]: run.conversationId,
      [attribute.inputTokens]: usage.promptTokens,
      [attribute.outputTokens]: usage.completionTokens,
      [attribute.error]: error?.code,
      [attribute.run]: run.id,
      [attribute.runKind]: run.kind,
      [attribute.iterations]: run.iterations,
      [attribute.completion]: completionReason ?? undefined,
      [attribute.cost]: run.cost,
    },
    failure: error?.code,
  };
}
