import { setTimeout as setTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { AppError } from "../contract/errors.ts";
import type { EndpointRequest } from "../contract/endpoint.ts";
import type { LiveRun, RunRequest } from "../contract/run.ts";
import type { RunOutcome } from "../contract/run-outcome.ts";
import type { Services } from "../contract/services.ts";
import { isObject } from "../util/is-object.ts";
import { isAccessEnded } from "./access-ended.ts";

/** The headers of an answer that a run gives. */
export const runHeaders = ({ id, conversationId }: LiveRun) => ({
  "X-Conversation-Id": conversationId,
  "X-Run-Id": id,
});

/** Its text is read by a program, which a line of words would stop. */
const isFormed = ({ responseFormat }: RunRequest["sampling"]): boolean =>
  isObject(responseFormat) && responseFormat["type"] !== "text";

/** Who has not asked for events sees nothing of a question but a line of text. */
function waitingNoteFor(
  { stream = false, toolEvents, sampling }: RunRequest,
  { headers, peer }: EndpointRequest,
  { preferences }: Services,
): Pick<RunRequest, "waitingNote"> {
  const choice = preferences.get<string>("stream.waiting_note");
  const isWanted = choice === "always" || (choice === "auto" && toolEvents !== true);
  if (stream && (!isWanted || isFormed(sampling))) return {};
  const scheme = peer?.secure === true ? "https" : "http";
  return { waitingNote: { address: `${scheme}://${headers["host"] ?? "127.0.0.1"}`, isStreamed: stream } };
}

/**
 * Starts a run that ends with its client, unless the request or the preference says that it goes on. It also
 * goes on where not the client has left, but its token has ended.
 */
export async function startForClient(
  run: RunRequest,
  request: EndpointRequest,
  services: Services,
): Promise<LiveRun> {
  const trace = request.headers["traceparent"];
  const live = await services.runs.start({ ...run, trace, ...waitingNoteFor(run, request, services) });
  if ((run.onClientClose ?? services.preferences.get<string>("runs.on_client_close")) === "continue")
    return live;
  const cancel = (): void => void (isAccessEnded(request.signal.reason) || live.cancel());
  request.signal.addEventListener("abort", cancel, { once: true });
  if (request.signal.aborted) cancel();
  void live.done.then(() => request.signal.removeEventListener("abort", cancel));
  return live;
}

/** True when something came of it, false when a ping is due before that. Rejects with it. */
export async function settlesBeforePing(
  promise: Promise<unknown>,
  { preferences }: Services,
): Promise<boolean> {
  const timer = new AbortController();
  const milliseconds = preferences.get<number>("stream.ping_seconds") * 1000;
  const ping = setTimeout(milliseconds, false, { signal: timer.signal });
  return Promise.race([promise.then(() => true), ping]).finally(() => timer.abort());
}

/**
 * Waits until a stream's headers may go out: at the first sign of life, or when a ping is due. Until then a
 * failure is a plain HTTP error.
 */
export async function waitForStreamStart(live: LiveRun, services: Services): Promise<void> {
  if (!(await settlesBeforePing(live.firstActivity, services))) await live.admit();
}

/** Failures that no part of an answer makes up for: an empty one would be taken for the whole. */
const isThrown: ReadonlySet<string> = new Set(["output_invalid", "storage_unavailable"]);

async function whenStored(live: LiveRun): Promise<RunOutcome> {
  await live.firstActivity;
  const outcome = await live.done;
  const { error, storageFailed } = outcome;
  if (error !== null && (storageFailed === true || isThrown.has(error.code))) throw error;
  if (outcome.run.status === "interrupted") throw cutByStop(outcome.run.id);
  return outcome;
}

/** What there is to answer while the run waits for the person. */
const waitingOutcome = (live: LiveRun): RunOutcome => ({
  run: live.record,
  answeredBy: live.model,
  text: live.announceWaiting?.() ?? "",
  reasoning: "",
  finishReason: "stop",
  callerCalls: [],
  usageSource: "estimated",
  duration: (Date.now() - Date.parse(live.record.createdAt)) / 1000,
  warnings: ["waiting for the person"],
  iterations: [],
  executions: [],
  error: null,
});

/** Resolves when the run has waited for the person for so long without a break. */
const whenWaiting = (live: LiveRun, seconds: number): Promise<RunOutcome> =>
  new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const watch = async (): Promise<void> => {
      for await (const { event } of live.events()) {
        if (event.type !== "state" && event.type !== "end") continue;
        clearTimeout(timer);
        if (event.type === "state" && event.run.status === "waiting")
          timer = setTimer(() => resolve(waitingOutcome(live)), seconds * 1000);
      }
    };
    void watch();
  });

/**
 * The outcome, once it is stored; its `run` has not ended where it has waited for the person for
 * `stream.waiting_note_seconds`. A failure before the first sign of life is thrown, that the outcome could
 * not be stored or the storage not be read, and that the service's stop has cut the run.
 */
export async function outcomeOf(
  live: LiveRun,
  services?: Pick<Services, "preferences">,
): Promise<RunOutcome> {
  const seconds = services?.preferences.get<number>("stream.waiting_note_seconds") ?? 0;
  if (seconds === 0) return whenStored(live);
  return Promise.race([whenStored(live), whenWaiting(live, seconds)]);
}

/** The service stops before a run has come to its end. */
export const cutByStop = (runId: string): AppError =>
  new AppError({
    code: "shutting_down",
    message:
      `The service is stopping. After its next start GET /api/runs/${runId} ` +
      "shows whether the run can be resumed.",
    details: { runId },
    retryAfter: 5,
  });
