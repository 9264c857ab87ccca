import {
  waitForStreamStart,
  runHeaders,
  type EndpointAnswer,
  type EndpointRequest,
  type LiveRun,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import { configOf } from "./read-request.ts";
import type { ChatBody } from "./body-schema.ts";
import type { ChunkChoices } from "./chunks.ts";
import { streamRun } from "./stream-run.ts";

export function choicesOf(body: ChatBody, { preferences }: Services): ChunkChoices {
  const usage = preferences.get<string>("stream.usage_chunk");
  const { include_usage: includeUsage, include_tool_events: events } = body.stream_options ?? {};
  return {
    toolEvents: preferences.get<boolean>("stream.tool_events") && events !== false,
    usage: includeUsage ?? usage === "always",
    legacyMetadata: configOf(body).legacy_metadata ?? preferences.get<boolean>("server.legacy_metadata"),
  };
}

/**
 * Headers go out at the first sign of life, or when a ping is due; until then a failure is a plain HTTP
 * error.
 */
export async function streamAnswer(
  live: LiveRun,
  body: ChatBody,
  { disconnect }: EndpointRequest,
  services: Services,
): Promise<EndpointAnswer> {
  await waitForStreamStart(live, services);
  return { headers: runHeaders(live), events: streamRun(live, choicesOf(body, services), disconnect) };
}

/** Starts a run that goes on without its client, and answers once what it begins with is stored. */
export async function answerAtOnce(
  run: RunRequest,
  { headers }: EndpointRequest,
  { runs, conversations }: Services,
) {
  const live = await runs.start({
    ...run,
    trace: headers["traceparent"],
    onClientClose: "continue",
    annotations: { ...run.annotations, background: true },
  });
  await live.admit();
  const { id: runId, conversationId } = live;
  const turns = { limit: 20, newest: true, visible: true } as const;
  const message = (await conversations.messages(conversationId, turns)).findLast(
    ({ role }) => role === "user",
  );
  const body = { runId, conversationId, ...(message && { messageId: message.id }), status: "queued" };
  return { status: 202, headers: runHeaders(live), body };
}
