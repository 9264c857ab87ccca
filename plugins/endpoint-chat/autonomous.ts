import {
  defineRoute,
  metadataOf,
  outcomeOf,
  runHeaders,
  startForClient,
  wireUsage,
  type LiveRun,
  type RunOutcome,
  type Services,
} from "@pergola/sdk";
import { autonomousAnswers } from "./answer-schemas.ts";
import { autonomousBody } from "./body-schema.ts";
import { withFileTexts } from "./file-texts.ts";
import { withKnownTopic } from "./known-topic.ts";
import { readRequest } from "./read-request.ts";
import { identityOf } from "./stream-run.ts";
import { answerAtOnce, streamAnswer } from "./start-run.ts";

const wireIteration = ({ iteration, text, toolsRequested, timestamp }: RunOutcome["iterations"][number]) => ({
  iteration,
  llmResponse: text,
  toolsRequested,
  timestamp,
});

const wireExecution = (execution: RunOutcome["executions"][number]) => ({
  toolCallId: execution.callId,
  toolName: execution.tool,
  operation: execution.operation,
  arguments: execution.arguments,
  success: execution.success,
  result: execution.result,
  timestamp: execution.timestamp,
  iteration: execution.iteration,
  duration_ms: execution.duration,
});

function resultOf(outcome: RunOutcome, live: LiveRun) {
  const { run, answeredBy, text, iterations, executions, duration } = outcome;
  const { id, created } = identityOf(live);
  const usage = wireUsage(run.usage);
  return {
    id,
    object: "autonomous.workflow.result",
    created,
    model: answeredBy?.modelId ?? run.model,
    runId: live.id,
    conversationId: live.conversationId,
    conversation_id: live.conversationId,
    finalResponse: text,
    iterations: run.iterations,
    iterationHistory: iterations.map(wireIteration),
    toolExecutions: executions.map(wireExecution),
    usage,
    metadata: {
      completionReason: run.completionReason,
      totalDuration: duration,
      hadErrors: run.hadErrors,
      tokensUsed: usage.total_tokens,
    },
    service_metadata: metadataOf(outcome),
  };
}

/** Where a request names no model, its conversation goes on with its own. */
async function modelOf(conversationId: string | undefined, { conversations }: Services): Promise<string> {
  if (conversationId === undefined) return "default";
  const conversation = await conversations.get(conversationId).catch(() => undefined);
  return conversation?.model ?? conversation?.settings.selectedModel ?? "default";
}

export const autonomous = defineRoute({
  method: "POST",
  path: "/api/chat/autonomous",
  scope: "chat",
  summary: "Work on a goal until it is done",
  description: "In the background the answer comes at once; follow the run by its events.",
  body: autonomousBody,
  ...autonomousAnswers,
  async handle(request, services) {
    const { goal = "", background, model, messages, ...fields } = request.body;
    const given = messages ?? [{ role: "user", content: goal }];
    const body = { ...fields, model: "default", messages: await withFileTexts(given, request.signal) };
    const read = await withKnownTopic(readRequest("autonomous", body, request, services), services);
    const runRequest = { ...read, model: model ?? (await modelOf(read.conversationId, services)) };
    if (background === true) return answerAtOnce(runRequest, request, services);
    const live = await startForClient(runRequest, request, services);
    if (body.stream) return streamAnswer(live, body, request, services);
    return { headers: runHeaders(live), body: resultOf(await outcomeOf(live, services), live) };
  },
});
