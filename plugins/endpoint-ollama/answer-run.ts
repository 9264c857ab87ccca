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
import { FirstWord } from "./first-word.ts";
import { headOf, Lines } from "./lines.ts";
import { doneFields, type PartFields } from "./wire-answer.ts";
import { wireFailure } from "./wire-failure.ts";

/**
 * Deletes a conversation that nobody can name again, once the run has ended. It may never have been stored.
 */
async function settle(live: LiveRun, { conversations }: Services): Promise<void> {
  await live.done;
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
  request: EndpointRequest,
  services: Services,
): Promise<EndpointAnswer> {
  const live = await startForClient(run, request, services);
  const first = new FirstWord();
  const settled = settle(live, services);
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

/** The answer to a request that brings nothing to answer, which clients send to load a model or let it go. */
export async function answerLoad(
  { model, keep_alive: keepAlive }: { readonly model: string; readonly keep_alive?: unknown },
  fields: PartFields,
  { signal }: Pick<EndpointRequest, "signal">,
  { models }: Services,
): Promise<EndpointAnswer> {
  const { modelId } = await models.resolve(model, signal);
  const isUnload = Number.parseFloat(String(keepAlive)) === 0;
  const done = { done: true, done_reason: isUnload ? "unload" : "load" };
  return { body: { model: modelId, created_at: new Date().toISOString(), ...fields({ text: "" }), ...done } };
}
