import {
  waitForStreamStart,
  runHeaders,
  type EndpointAnswer,
  type LiveRun,
  type Services,
} from "@pergola/sdk";
import { configOf } from "./read-request.ts";
import type { ChatBody } from "./body-schema.ts";
import type { ChunkChoices } from "./chunks.ts";
import { streamRun } from "./stream-run.ts";

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
export const identityOf = ({ id, record }: Pick<LiveRun, "id" | "record">) => ({
  id: `chatcmpl-${id.slice("run_".length, "run_".length + 24)}`,
  created: Math.floor(Date.parse(record.createdAt) / 1000),
});

/**
 * Headers go out at the first sign of life, or when a ping is due; until then a failure is a plain HTTP
 * error.
 */
export async function streamAnswer(
  live: LiveRun,
  body: ChatBody,
  services: Services,
): Promise<EndpointAnswer> {
  await waitForStreamStart(live, services);
  return { headers: runHeaders(live), events: streamRun(live, identityOf(live), choicesOf(body, services)) };
}
