import { type EndpointAnswer, type EndpointRequest, type LiveRun, type RunOutcome, type RunRequest, type Services } from "@pergola/sdk";
import { configOf } from "./read-request.ts";
import type { ChatBody } from "./body-schema.ts";
import type { ChunkChoices } from "./chunks.ts";
import { streamRun } from "./stream-run.ts";

export const headersOf = ({ id, conversationId }: LiveRun) => ({ "X-Conversation-Id": conversationId, "X-Run-Id": id });

export function choicesOf(body: ChatBody, { preferences }: Services): ChunkChoices {
  const usage = preferences.get<string>("stream.usage_chunk");
  const { include_usage: asked, include_tool_events: events } = body.stream_options ?? {};
  return {
    toolEvents: preferences.get<boolean>("stream.tool_events") && events !== false,
    usage: asked ?? usage === "always",
    legacyMetadata: configOf(body).legacy_metadata ?? preferences.get<boolean>("server.legacy_metadata"),
  };
}

/** One run, one completion: whoever follows it, and how often, sees the same id and time. */
export const identityOf = ({ id, record }: LiveRun) => ({
  id: `chatcmpl-${id.slice("run_".length, "run_".length + 24)}`,
  created: Math.floor(Date.parse(record.createdAt) / 1000),
});

/** Starts a run that ends with its client, unless the request or the preference says that it goes on. */
export async function startRun(asked: RunRequest, request: EndpointRequest, services: Services): Promise<LiveRun> {
  const live = await services.runs.start(asked);
  if ((asked.onClientClose ?? services.preferences.get<string>("runs.on_client_close")) === "continue") return live;
  const leave = (): void => live.cancel();
  request.signal.addEventListener("abort", leave, { once: true });
  if (request.signal.aborted) leave();
  void live.done.then(() => request.signal.removeEventListener("abort", leave));
  return live;
}

/** True when something came of it, false when a ping is due before that. Rejects with it. */
export async function beforePing(promise: Promise<unknown>, { preferences }: Services): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(
    (resolve) => (timer = setTimeout(() => resolve(false), preferences.get<number>("stream.ping_seconds") * 1000)),
  );
  return Promise.race([promise.then(() => true), late]).finally(() => clearTimeout(timer));
}

/** Headers go out at the first sign of life, or when a ping is due; until then a failure is a plain HTTP error. */
export async function streamAnswer(live: LiveRun, body: ChatBody, services: Services): Promise<EndpointAnswer> {
  if (!(await beforePing(live.firstSign, services))) await live.admit();
  return { headers: headersOf(live), events: streamRun(live, identityOf(live), choicesOf(body, services)) };
}

/** The outcome, once it is stored. A failure before the first sign of life is thrown, and that the outcome could not be stored. */
export async function outcomeOf(live: LiveRun): Promise<RunOutcome> {
  await live.firstSign;
  const outcome = await live.done;
  if (outcome.unstored === true && outcome.error !== null) throw outcome.error;
  return outcome;
}
