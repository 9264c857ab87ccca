import { AppError, defined, defineRoute, type Message, type RunRecord, type Services } from "@pergola/sdk";
import { itemPageSchema, responseSchema, storedAnswers } from "./answer-schemas.ts";
import { streamEnd, streamResponse } from "./follow-response.ts";
import { itemQuery, pageOf } from "./read-page.ts";
import { findResponse, readResponse } from "./read-response.ts";
import { deleted } from "./response-object.ts";
import { everyMessage, itemsOf, readRunMessages } from "./stored-items.ts";

const params = { responseId: { type: "string", description: "resp_ and the digits of its run" } } as const;

export const getResponse = defineRoute({
  method: "GET",
  path: "/v1/responses/{responseId}",
  scope: "read",
  aliases: ["/api/responses/{responseId}"],
  summary: "Show a response, or follow it as a stream of events",
  params,
  query: {
    stream: { type: "boolean", default: false, description: "Its events from the first one on" },
    starting_after: { type: "integer", minimum: 0, description: "Of its events those behind this number" },
  },
  ...storedAnswers,
  async handle({ params: { responseId }, query: { stream, starting_after: after }, disconnect }, services) {
    const run = await findResponse(responseId, services);
    if (!stream) return { body: await readResponse(run, services) };
    const log = await services.runs.log(run.id);
    if (log === undefined) return { events: streamEnd(await readResponse(run, services), after) };
    return { events: streamResponse(log, services, defined({ after, tooSlow: disconnect })) };
  },
});

/** Ends the run of a response, if it is still at work. */
async function cancelRun({ id }: RunRecord, { runs }: Services): Promise<void> {
  await runs.cancel(id).catch((error: unknown) => {
    if (!AppError.is(error) || error.code !== "run_ended") throw error;
  });
  await runs.live(id)?.done;
}

export const cancelResponse = defineRoute({
  method: "POST",
  path: "/v1/responses/{responseId}/cancel",
  scope: "chat",
  aliases: ["/api/responses/{responseId}/cancel"],
  summary: "Cancel a response; one that has ended stays as it is",
  params,
  response: responseSchema,
  failures: [],
  async handle({ params: { responseId } }, services) {
    const run = await findResponse(responseId, services);
    await cancelRun(run, services);
    return { body: await readResponse(await services.runs.get(run.id), services) };
  },
});

export const deleteResponse = defineRoute({
  method: "DELETE",
  path: "/v1/responses/{responseId}",
  scope: "chat",
  aliases: ["/api/responses/{responseId}"],
  summary: "Delete a response, which is cancelled first; its conversation stays",
  params,
  response: {
    type: "object",
    properties: { id: { type: "string" }, object: { const: "response" }, deleted: { const: true } },
  },
  failures: [],
  async handle({ params: { responseId } }, services) {
    const run = await findResponse(responseId, services);
    await cancelRun(run, services);
    await services.runs.annotate(run.id, deleted);
    return { body: { id: responseId, object: "response", deleted: true } };
  },
});

/**
 * The messages that the request of a response brought; those of a history of the client's own have no run.
 */
async function readInputOf(run: RunRecord, services: Services): Promise<readonly Message[]> {
  const own = await readRunMessages(run, services);
  const reply = own.find(({ role }) => role === "assistant");
  const last = own.findLast(({ role, seq }) => role !== "assistant" && seq < (reply?.seq ?? Infinity));
  if (last === undefined) return [];
  const page = { limit: everyMessage, allBranches: true, before: last.seq };
  const before = await services.conversations.messages(run.conversationId, page);
  const byId = new Map(before.map((message) => [message.id, message]));
  const input = [last];
  for (;;) {
    const message = byId.get(input[0]?.parentMessageId ?? "");
    if (message === undefined || ![null, run.id].includes(message.runId)) return input;
    input.unshift(message);
  }
}

export const listInputItems = defineRoute({
  method: "GET",
  path: "/v1/responses/{responseId}/input_items",
  scope: "read",
  aliases: ["/api/responses/{responseId}/input_items"],
  summary: "List what a response was asked, the newest first",
  params,
  query: itemQuery,
  response: itemPageSchema,
  failures: [],
  async handle({ params: { responseId }, query }, services) {
    const run = await findResponse(responseId, services);
    const items = itemsOf(await readInputOf(run, services)).map(({ item }) => item);
    return { body: pageOf(items, query) };
  },
});
