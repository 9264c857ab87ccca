import { expect } from "chai";
import type { EndpointAnswer, ServerEvent, Services } from "@pergola/sdk";
import type { DownloadService, DownloadStatus } from "@pergola/sdk/host";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { cancelDownload, followDownload, listDownloads, startDownload } from "../routes.ts";

const at = (status: DownloadStatus["status"], downloadId = "d1"): DownloadStatus => ({
  downloadId,
  repoId: "a/b",
  filename: "x.gguf",
  status,
  progress: 0.5,
  bytesDownloaded: 5,
  totalBytes: 10,
  downloadSpeed: 1,
  eta: 5,
  error: null,
  files: [],
  modelId: null,
  startedAt: "2026-01-02T03:04:05.000Z",
  updatedAt: "2026-01-02T03:04:05.000Z",
});

const servicesWith = (downloads: Partial<DownloadService>) => fakeServices({ downloads });
const bodyOf = (answer: EndpointAnswer) => ("body" in answer ? answer.body : undefined);
const routes = (plugin.endpoints ?? []).flatMap((group) => group.routes);

describe("feature-downloads, its routes", () => {
  it("serves its routes in the group downloads", () => {
    expect(plugin.endpoints?.map(({ group }) => group)).to.deep.equal(["downloads"]);
  });

  it("says of a new download where it stands, and of one that was there that it is existing", async () => {
    const start = async (existing: boolean) =>
      bodyOf(
        await startDownload.handle(
          endpointRequest({ body: { repoId: "a/b" } }),
          servicesWith({ start: async () => ({ status: at("starting"), existing }) }),
        ),
      );
    const told = { downloadId: "d1", repoId: "a/b", filename: "x.gguf", status: "starting" };
    expect([await start(false), await start(true)]).to.deep.equal([told, { ...told, existing: true }]);
  });

  it("lists by state", async () => {
    const services = servicesWith({ list: async () => [at("failed", "d2"), at("completed")] });
    const list = async (query: object) =>
      bodyOf(await listDownloads.handle(endpointRequest({ query: { ...query } }), services));
    expect(await list({})).to.deep.include({ count: 2 });
    expect(await list({ status: "failed" })).to.deep.equal({ downloads: [at("failed", "d2")], count: 1 });
  });

  it("hands on whether the partial bytes are to be kept, and says so", async () => {
    const asked: unknown[] = [];
    const services = servicesWith({
      cancel: async (id, options) => (asked.push([id, options]), at("cancelled")),
    });
    const cancel = async (keepPartial: boolean) =>
      bodyOf(
        await cancelDownload.handle(
          endpointRequest({ params: { downloadId: "d1" }, query: { keepPartial } }),
          services,
        ),
      );
    expect(await cancel(true)).to.deep.include({
      status: "cancelled",
      message: "The download was cancelled. What has come is kept for a resume.",
    });
    expect(await cancel(false)).to.deep.include({
      message: "The download was cancelled. What had come was removed.",
    });
    expect(asked).to.deep.equal([
      ["d1", { keepPartial: true }],
      ["d1", { keepPartial: false }],
    ]);
  });

  it("sends each status as progress, and the last once more as the end", async () => {
    const watch = async function* () {
      yield at("downloading");
      yield at("completed");
    };
    const services = servicesWith({ get: async () => at("downloading"), watch });
    const answer = await followDownload.handle(endpointRequest({ params: { downloadId: "d1" } }), services);
    const events: ServerEvent[] = [];
    if ("events" in answer) for await (const event of answer.events) events.push(event);
    expect(
      events.map(({ event, data }) => `${event} ${(JSON.parse(data) as DownloadStatus).status}`),
    ).to.deep.equal(["progress downloading", "progress completed", "end completed"]);
  });

  for (const route of routes)
    it(`where nothing downloads models, ${route.method} ${route.path} is no route`, async () => {
      const handle = async () =>
        route.handle(endpointRequest(), { downloads: undefined } as unknown as Services);
      expect(await handle().catch((error: unknown) => error)).to.have.property("code", "route_not_found");
    });
});
