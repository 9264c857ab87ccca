import { fieldFault } from "@pergola/kit-provider";
import {
  AppError,
  waitForStreamStart,
  defineRoute,
  runHeaders,
  startForClient,
  type EndpointRequest,
  type LiveRun,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import { responseAnswers } from "./answer-schemas.ts";
import { responseBody } from "./body-schema.ts";
import { streamResponse, wholeResponse } from "./follow-response.ts";
import { withFileTexts } from "./file-texts.ts";
import { lineageOf } from "./lineage.ts";
import { readRequest } from "./read-request.ts";
import { resolveReferences } from "./resolve-references.ts";
import { responseOf } from "./response-object.ts";

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

/** Answers as soon as the person's turn is stored; the run goes on by itself. */
async function startInBackground(
  run: RunRequest,
  { headers }: EndpointRequest,
  { runs }: Services,
): Promise<LiveRun> {
  const annotations = { ...run.annotations, background: true };
  const live = await runs.start({ ...run, trace: headers["traceparent"], annotations });
  await live.admit();
  return live;
}

export const createResponse = defineRoute({
  method: "POST",
  path: "/v1/responses",
  scope: "chat",
  aliases: ["/api/responses"],
  summary: "Answer in the Responses format, calling tools as needed",
  body: responseBody,
  ...responseAnswers,
  async handle(request, services) {
    const { body } = request;
    const store = body.store !== false;
    const inBackground = body.background === true;
    if (inBackground && !store)
      throw fieldFault("background", "needs a response that is stored; leave out store");
    const lineage = await lineageOf(body, request, services);
    const resolved = await resolveReferences(body, services);
    const input = await withFileTexts(resolved.input, request.signal);
    const run = readRequest({ ...resolved, input }, lineage, request, services);
    const live = inBackground
      ? await startInBackground(run, request, services)
      : await startForClient(run, request, services);
    const headers = runHeaders(live);
    const settled = settle(live, store, services);
    settled.catch(() => undefined);
    if (body.stream === true) {
      if (!inBackground) await waitForStreamStart(live, services);
      return { headers, events: streamResponse(live, services, { settled, tooSlow: request.disconnect }) };
    }
    if (inBackground) return { headers, body: { ...responseOf(live, []), status: "queued" } };
    return { headers, body: await wholeResponse(live, settled, services) };
  },
});
