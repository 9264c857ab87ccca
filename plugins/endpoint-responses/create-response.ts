import {
  AppError,
  waitForStreamStart,
  runHeaders,
  startForClient,
  type EndpointAnswer,
  type LiveRun,
  type Route,
  type Services,
} from "@pergola/sdk";
import { responseBody, type ResponseBody } from "./body-schema.ts";
import { streamResponse, wholeResponse } from "./follow-response.ts";
import { lineageOf } from "./lineage.ts";
import { readRequest } from "./read-request.ts";

/**
 * Once the run has ended, `store: false` leaves nothing of its conversation. One that was never stored is
 * gone already.
 */
async function settle(live: LiveRun, store: boolean, { conversations }: Services): Promise<void> {
  await live.done;
  if (store) return;
  await conversations.delete(live.conversationId, { deleteFiles: false }).catch((error: unknown) => {
    if (!AppError.is(error) || error.code !== "not_found") throw error;
  });
}

export const createResponse: Route = {
  method: "POST",
  path: "/v1/responses",
  aliases: ["/api/responses"],
  summary: "Answer in the Responses format, calling tools as needed",
  body: responseBody,
  async handle(request, services): Promise<EndpointAnswer> {
    const body = request.body as ResponseBody;
    const asked = readRequest(body, await lineageOf(body, request, services), request, services);
    const live = await startForClient(asked, request, services);
    const settled = settle(live, body.store !== false, services);
    settled.catch(() => undefined);
    if (body.stream !== true)
      return { body: await wholeResponse(body, live, settled), headers: runHeaders(live) };
    await waitForStreamStart(live, services);
    return { headers: runHeaders(live), events: streamResponse(body, live, services, settled) };
  },
};
