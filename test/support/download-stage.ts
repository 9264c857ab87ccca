import type { JsonObject } from "@pergola/sdk";
import type { DownloadStatus } from "@pergola/sdk/host";
import { openStage } from "./host.ts";
import { ModelSource } from "./model-source.ts";

export interface Started {
  readonly downloadId: string;
  readonly status: string;
  readonly existing?: boolean;
}

export interface Failed {
  readonly error: { readonly code: string; readonly param?: string; readonly message: string };
}

/** The file of the repository `owner/model`, and its bytes. */
export const file = { name: "tiny-Q4_K_M.gguf", size: 600_000 };
export const root = "/api/models/download";
export const unknown = "00000000-0000-4000-8000-000000000000";

/** A host that downloads from a source of its own, which has these files; with further settings. */
export async function openDownloadStage(
  files: Parameters<typeof ModelSource.open>[0] = { [file.name]: { size: file.size } },
  settings: JsonObject = {},
) {
  const source = await ModelSource.open(files);
  const stage = await openStage(undefined, {
    settings: { storage: { type: "sqlite" }, "downloads.base_url": source.url, ...settings },
  });
  const start = async (body: object = { repoId: "owner/model" }) =>
    (await stage.host.json<Started>("POST", root, body)).body;
  const statusOf = async (id: string) =>
    (await stage.host.json<DownloadStatus>("GET", `${root}/${id}/status`)).body;
  const until = async (id: string, fits: (status: DownloadStatus) => boolean): Promise<DownloadStatus> => {
    for (;;) {
      const status = await statusOf(id);
      if (fits(status)) return status;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    ...stage,
    source,
    start,
    statusOf,
    until,
    ended: (id: string) => until(id, ({ status }) => /completed|failed|cancelled/.test(status)),
    codeOf: async (method: string, route: string, body?: unknown) => {
      const answer = await stage.host.json<Partial<Failed>>(method, route, body);
      return [answer.status, answer.body.error?.code];
    },
    /** One that is at work, some bytes of it there. */
    halfway: async () => {
      source.pace = 400_000;
      const { downloadId } = await start();
      await until(
        downloadId,
        ({ status, bytesDownloaded }) => status === "downloading" && bytesDownloaded > 100_000,
      );
      return downloadId;
    },
    eventsOf: async (id: string) => {
      const text = await (await stage.host.request("GET", `${root}/${id}/events`)).text();
      return text
        .split("\n\n")
        .filter((block) => block !== "" && !block.startsWith(":"))
        .map((block) => /^event: (\w+)\ndata: (.+)$/.exec(block)!)
        .map(([, event, data]) => ({ event, data: JSON.parse(data!) as DownloadStatus }));
    },
    end: async (): Promise<void> => {
      await stage.end();
      await source.close();
    },
  };
}

export type DownloadStage = Awaited<ReturnType<typeof openDownloadStage>>;
