import {
  waitForStreamStart,
  estimateTokens,
  outcomeOf,
  runHeaders,
  startForClient,
  type EndpointAnswer,
  type Route,
} from "@pergola/sdk";
import { messageBody } from "../body-schema.ts";
import { readRequest } from "../read-request.ts";
import { streamMessage } from "../stream-message.ts";
import { wireFailure } from "../wire-failure.ts";
import { messageId, messageOf } from "../wire-message.ts";

export const createMessage: Route = {
  method: "POST",
  path: "/v1/messages",
  summary: "Answer a conversation in the Messages format, calling tools as needed",
  body: messageBody,
  failure: wireFailure,
  async handle(request, services): Promise<EndpointAnswer> {
    const asked = readRequest(request, services);
    const live = await startForClient(asked, request, services);
    const headers = { ...runHeaders(live), "request-id": request.id };
    if (asked.stream !== true) {
      return { headers, body: messageOf(await outcomeOf(live), messageId(live), asked.includeReasoning) };
    }
    await waitForStreamStart(live, services);
    const promptTokens = estimateTokens({ messages: asked.messages, tools: asked.callerTools });
    return { headers, events: streamMessage(live, { promptTokens, completionTokens: 0 }, request.id) };
  },
};
