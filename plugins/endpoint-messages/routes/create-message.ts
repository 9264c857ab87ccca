import { waitForStreamStart, defineRoute, outcomeOf, runHeaders, startForClient } from "@pergola/sdk";
import { messageAnswers } from "../answer-schemas.ts";
import { messageBody } from "../body-schema.ts";
import { withDocumentTexts } from "../document-texts.ts";
import { readRequest } from "../read-request.ts";
import { streamMessage } from "../stream-message.ts";
import { wireFailure } from "../wire-failure.ts";
import { messageId, messageOf } from "../wire-message.ts";

export const createMessage = defineRoute({
  method: "POST",
  path: "/v1/messages",
  scope: "chat",
  summary: "Answer a conversation in the Messages format, calling tools as needed",
  body: messageBody,
  failure: wireFailure,
  dialect: { header: "anthropic-version", requestId: "request-id" },
  ...messageAnswers,
  async handle(request, services) {
    const messages = await withDocumentTexts(request.body.messages, request.signal);
    const runRequest = readRequest({ ...request.body, messages }, request, services);
    const live = await startForClient(runRequest, request, services);
    const headers = { ...runHeaders(live), "request-id": request.id };
    if (runRequest.stream !== true) {
      return {
        headers,
        body: messageOf(await outcomeOf(live, services), messageId(live), runRequest.includeReasoning),
      };
    }
    await waitForStreamStart(live, services);
    return { headers, events: streamMessage(live, request) };
  },
});
