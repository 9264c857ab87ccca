import {
  metadataOf,
  outcomeOf,
  runHeaders,
  startForClient,
  wireUsage,
  type EndpointAnswer,
  type LiveRun,
  type Route,
  type RunOutcome,
} from "@pergola/sdk";
import { autonomousBody, type ChatBody } from "./body-schema.ts";
import type { ChunkIdentity } from "./chunks.ts";
import { withKnownTopic } from "./known-topic.ts";
import { readRequest } from "./read-request.ts";
import { identityOf, streamAnswer } from "./start-run.ts";

function resultOf(outcome: RunOutcome, live: LiveRun, { id, created }: Omit<ChunkIdentity, "model">) {
  const { run, answeredBy, text, iterations, executions, duration } = outcome;
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
    iterationHistory: iterations.map(({ iteration, text: llmResponse, toolsRequested, timestamp }) => ({
      iteration,
      llmResponse,
      toolsRequested,
      timestamp,
    })),
    toolExecutions: executions.map(
      ({ callId, tool, arguments: args, success, result, timestamp, iteration, duration: spent }) => ({
        toolCallId: callId,
        toolName: tool,
        arguments: args,
        success,
        result,
        timestamp,
        iteration,
        duration_ms: spent,
      }),
    ),
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

export const autonomous: Route = {
  method: "POST",
  path: "/api/chat/autonomous",
  summary: "Work on a goal until it is done",
  body: autonomousBody,
  async handle(request, services): Promise<EndpointAnswer> {
    const given = request.body as ChatBody & { readonly goal?: string; readonly background?: boolean };
    const fromGoal = given.goal === undefined ? {} : { messages: [{ role: "user", content: given.goal }] };
    const body: ChatBody = {
      ...fromGoal,
      ...given,
      model: given.model ?? "default",
      messages: given.messages ?? fromGoal.messages ?? [],
    };
    const asked = await withKnownTopic(readRequest("autonomous", body, request, services), services);
    if (given.background === true) {
      const live = await services.runs.start({ ...asked, onClientClose: "continue" });
      await live.admit();
      return {
        status: 202,
        headers: runHeaders(live),
        body: { runId: live.id, conversationId: live.conversationId, status: "queued" },
      };
    }
    const live = await startForClient(asked, request, services);
    if (body.stream === true) return streamAnswer(live, body, services);
    return { headers: runHeaders(live), body: resultOf(await outcomeOf(live), live, identityOf(live)) };
  },
};
