import {
  AppError,
  outcomeOf,
  runHeaders,
  startForClient,
  waitForStreamStart,
  type EndpointAnswer,
  type EndpointRequest,
  type LiveRun,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { AnswerBody } from "./body-schemas.ts";
import { FirstWord } from "./first-word.ts";
import { headOf, Lines } from "./lines.ts";
import { doneFields, type PartFields } from "./wire-answer.ts";
import { wireFailure } from "./wire-failure.ts";

/** Milliseconds in which a model must leave memory. */
const unloading = 30_000;

/** Whether the model is to leave memory: after no time, however that is written. */
const isUnload = ({ keep_alive: keepAlive }: Pick<AnswerBody, "keep_alive">): boolean =>
  Number.parseFloat(String(keepAlive)) === 0;

/**
 * Deletes a conversation that nobody can name again, once the run has ended. It may never have been stored.
 */
async function settle(live: LiveRun, body: AnswerBody, { conversations, models }: Services): Promise<void> {
  await live.done;
  const signal = AbortSignal.timeout(unloading);
  // It does not spoil an answer that is there.
  if (isUnload(body)) await models.unload(live.model.modelId, signal).catch(() => undefined);
  if (live.request.newConversation !== true) return;
  await conversations.delete(live.conversationId, { deleteFiles: false }).catch((error: unknown) => {
    if (!AppError.is(error) || error.code !== "not_found") throw error;
  });
}

interface Following {
  readonly lines: Lines;
  readonly first: FirstWord;
  readonly settled: Promise<void>;
  readonly tooSlow: () => void;
}

/** A line for each piece of the answer, and a last one with how it ended. */
async function* linesOf(live: LiveRun, { lines, first, settled, tooSlow }: Following): AsyncIterable<string> {
  for await (const { event } of live.events(0, tooSlow)) {
    first.note(event);
    if (event.type !== "end") {
      const line = lines.of(event);
      if (line !== undefined) yield line;
      continue;
    }
    await settled;
    const { outcome } = event;
    if (outcome.error !== null) yield `${JSON.stringify(wireFailure(outcome.error))}\n`;
    else yield lines.line({ text: "" }, doneFields(outcome, first.seconds));
  }
}

async function wholeAnswer(
  live: LiveRun,
  fields: PartFields,
  { first, settled }: Pick<Following, "first" | "settled">,
  services: Services,
): Promise<object> {
  void first.watch(live);
  const outcome = await outcomeOf(live, services);
  if (outcome.run.status === "ended") await settled;
  const { text, reasoning, callerCalls, answeredBy } = outcome;
  const part = {
    text,
    thinking: live.request.includeReasoning ? reasoning : "",
    calls: callerCalls.length > 0 ? callerCalls : undefined,
  };
  const model = answeredBy?.modelId ?? live.model.modelId;
  return { ...headOf(live), model, ...fields(part), ...doneFields(outcome, first.seconds) };
}

/** Runs what is asked, and answers as the client wants it: line by line, or whole. */
export async function answerRun(
  run: RunRequest,
  fields: PartFields,
  request: Omit<EndpointRequest, "body"> & { readonly body: AnswerBody },
  services: Services,
): Promise<EndpointAnswer> {
  const live = await startForClient(run, request, services);
  const first = new FirstWord();
  const settled = settle(live, request.body, services);
  settled.catch(() => undefined);
  const headers = runHeaders(live);
  if (run.stream !== true)
    return { headers, body: await wholeAnswer(live, fields, { first, settled }, services) };
  await waitForStreamStart(live, services);
  const toolEvents = services.preferences.get<boolean>("stream.tool_events");
  const lines = new Lines(headOf(live), fields, { toolEvents, includeReasoning: run.includeReasoning });
  return {
    headers,
    contentType: "application/x-ndjson",
    ping: lines.ping,
    chunks: linesOf(live, { lines, first, settled, tooSlow: request.disconnect }),
  };
}

/**
 * The answer to a request that brings nothing to answer. A model that such a request asks to load is loaded
 * by its first call.
 */
export async function answerLoad(
  body: Pick<AnswerBody, "model" | "keep_alive">,
  fields: PartFields,
  { signal }: Pick<EndpointRequest, "signal">,
  { models }: Services,
): Promise<EndpointAnswer> {
  const { modelId } = await models.resolve(body.model, signal);
  if (isUnload(body)) await models.unload(modelId, signal);
  const done = { done: true, done_reason: isUnload(body) ? "unload" : "load" };
  return { body: { model: modelId, created_at: new Date().toISOString(), ...fields({ text: "" }), ...done } };
}
