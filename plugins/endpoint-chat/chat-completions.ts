import {
  metadataOf,
  outcomeOf,
  runHeaders,
  startForClient,
  wireUsage,
  type EndpointAnswer,
  type Route,
  type RunOutcome,
} from "@pergola/sdk";
import { chatBody, type ChatBody } from "./body-schema.ts";
import { answerPast, streamPast } from "./bypass.ts";
import { wireCall, type ChunkIdentity } from "./chunks.ts";
import { withKnownTopic } from "./known-topic.ts";
import { configOf, readRequest } from "./read-request.ts";
import { choicesOf, identityOf, streamAnswer } from "./start-run.ts";

/** The `chat.completion` object. */
export function completionOf(
  outcome: RunOutcome,
  { id, created }: Omit<ChunkIdentity, "model">,
  legacy: boolean,
  includeReasoning: boolean,
) {
  const { text, callerCalls, reasoning, finishReason, run, answeredBy } = outcome;
  const metadata = metadataOf(outcome);
  const message = {
    role: "assistant",
    content: text === "" && callerCalls.length > 0 ? null : text,
    ...(callerCalls.length > 0 && { tool_calls: callerCalls.map(wireCall) }),
    ...(includeReasoning && reasoning !== "" && { reasoning_content: reasoning }),
  };
  return {
    id,
    object: "chat.completion",
    created,
    model: answeredBy?.modelId ?? run.model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: wireUsage(run.usage),
    service_metadata: metadata,
    ...(legacy && { sam_metadata: metadata }),
  };
}

export const chatCompletions: Route = {
  method: "POST",
  path: "/api/chat/completions",
  aliases: ["/v1/chat/completions"],
  summary: "Answer a chat, calling tools as needed",
  body: chatBody,
  async handle(request, services): Promise<EndpointAnswer> {
    const body = request.body as ChatBody;
    if (configOf(body).bypass_processing ?? services.preferences.get<boolean>("server.bypass_mode")) {
      return body.stream === true ? streamPast(body, request, services) : answerPast(body, request, services);
    }
    const asked = await withKnownTopic(readRequest("chat", body, request, services), services);
    const live = await startForClient(asked, request, services);
    if (body.stream === true) return streamAnswer(live, body, services);
    const outcome = await outcomeOf(live);
    return {
      headers: runHeaders(live),
      body: completionOf(
        outcome,
        identityOf(live),
        choicesOf(body, services).legacyMetadata,
        asked.includeReasoning,
      ),
    };
  },
};
