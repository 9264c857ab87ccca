import {
  defineRoute,
  metadataOf,
  outcomeOf,
  runHeaders,
  startForClient,
  type LiveRun,
  type RunOutcome,
} from "@pergola/sdk";
import { chatAnswers } from "./answer-schemas.ts";
import { chatBody } from "./body-schema.ts";
import { answerBypass, checkBypass, streamBypass } from "./bypass.ts";
import { wireCompletion } from "./completion.ts";
import { withFileTexts } from "./file-texts.ts";
import { withKnownTopic } from "./known-topic.ts";
import { configOf, readRequest } from "./read-request.ts";
import { identityOf } from "./stream-run.ts";
import { answerAtOnce, choicesOf, streamAnswer } from "./start-run.ts";

const completionOf = (
  outcome: RunOutcome,
  live: LiveRun,
  includeReasoning: boolean,
  legacyMetadata: boolean,
) =>
  wireCompletion({
    ...identityOf(live),
    model: outcome.answeredBy?.modelId ?? outcome.run.model,
    text: outcome.text,
    calls: outcome.callerCalls,
    reasoning: includeReasoning ? outcome.reasoning : "",
    finishReason: outcome.finishReason,
    usage: outcome.run.usage,
    metadata: metadataOf(outcome),
    legacyMetadata,
  });

export const chatCompletions = defineRoute({
  method: "POST",
  path: "/api/chat/completions",
  scope: "chat",
  aliases: ["/v1/chat/completions"],
  summary: "Answer a chat, calling tools as needed",
  description:
    "Without a conversationId the conversation is the one whose history the messages repeat, or a new one. " +
    "The answer's service_metadata has its id. A request without tools of its own may use the built-in ones.",
  body: chatBody,
  ...chatAnswers,
  async handle(request, services) {
    const { body } = request;
    const bypass = configOf(body).bypass_processing ?? services.preferences.get("server.bypass_mode");
    if (bypass) {
      checkBypass(body);
      return (body.stream ? streamBypass : answerBypass)(request, services);
    }
    const messages = await withFileTexts(body.messages, request.signal);
    const read = readRequest("chat", { ...body, messages }, request, services);
    const runRequest = await withKnownTopic(read, services);
    if (body.background === true) return answerAtOnce(runRequest, request, services);
    const live = await startForClient(runRequest, request, services);
    if (body.stream) return streamAnswer(live, body, request, services);
    const outcome = await outcomeOf(live, services);
    const { legacyMetadata } = choicesOf(body, services);
    const completion = completionOf(outcome, live, runRequest.includeReasoning, legacyMetadata);
    return { headers: runHeaders(live), body: completion };
  },
});
