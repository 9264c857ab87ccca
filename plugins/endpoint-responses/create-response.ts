import {
  AppError,
  waitForStreamStart,
  defineRoute,
  runHeaders,
  startForClient,
  type LiveRun,
  type Services,
} from "@pergola/sdk";
import { responseBody } from "./body-schema.ts";
import { streamResponse, wholeResponse } from "./follow-response.ts";
import { lineageOf } from "./lineage.ts";
import { readRequest } from "./read-request.ts";

/**
 * Deletes the conversation of a request with `store: false`, once the run has ended. It may never have been
 * stored.
 */
async function settle(live: LiveRun, store: boolean, { conversations }: Services): Promise<void> {
  await live.done;
  if (store) return;
  await conversations.delete(live.conversationId, { deleteFiles: false }).catch((error: unknown) => {
    if (!AppError.is(error) || error.code !== "not_found") throw error;
  });
}

export const createResponse = defineRoute({
  method: "POST",
  path: "/v1/responses",
  aliases: ["/api/responses"],
  summary: "Answer in the Responses format, calling tools as needed",
  body: responseBody,
  async handle(request, services) {
    const { body } = request;
    const lineage = await lineageOf(body, request, services);
    const live = await startForClient(readRequest(body, lineage, request, services), request, services);
    const settled = settle(live, body.store !== false, services);
    settled.catch(() => undefined);
    if (body.stream !== true)
      return { body: await wholeResponse(body, live, settled), headers: runHeaders(live) };
    await waitForStreamStart(live, services);
    return { headers: runHeaders(live), events: streamResponse(body, live, services, settled) };
  },
});
