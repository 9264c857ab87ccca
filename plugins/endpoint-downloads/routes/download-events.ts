import type { Route, ServerEvent } from "@pergola/sdk";
import type { DownloadStatus } from "@pergola/sdk/host";
import { downloadsOf } from "../downloads-of.ts";
import { downloadParameter } from "../schemas.ts";

/** Each status as `progress`; the last, final one once more as `end`. */
async function* eventsOf(statuses: AsyncIterable<DownloadStatus>): AsyncGenerator<ServerEvent> {
  let data = "";
  for await (const status of statuses) {
    data = JSON.stringify(status);
    yield { event: "progress", data };
  }
  yield { event: "end", data };
}

export const downloadEvents: Route = {
  method: "GET",
  path: "/api/models/download/{downloadId}/events",
  summary: "Follow a download",
  params: downloadParameter,
  async handle({ params, signal }, services) {
    const downloads = downloadsOf(services);
    const { downloadId } = await downloads.get(params["downloadId"] ?? "");
    return { events: eventsOf(downloads.watch(downloadId, signal)) };
  },
};
