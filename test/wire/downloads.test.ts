import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { DownloadStatus } from "@pergola/sdk/host";
import { openStage, type Stage } from "../support/host.ts";
import { ModelSource } from "../support/model-source.ts";
import { verifies } from "../support/verifies.ts";

interface Started {
  readonly downloadId: string;
  readonly status: string;
  readonly existing?: boolean;
}

interface Found {
  readonly models: readonly { readonly files: readonly object[] }[];
  readonly machine: Readonly<Record<"memoryBytes" | "freeMemoryBytes" | "freeDiskBytes", number>>;
}

interface Failed {
  readonly error: { readonly code: string; readonly param?: string; readonly message: string };
}

const name = "tiny-Q4_K_M.gguf";
const size = 600_000;
const root = "/api/models/download";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const unknown = "00000000-0000-4000-8000-000000000000";

describe("downloads", function () {
  this.timeout(30_000);
  let source: ModelSource;
  let stage: Stage;

  beforeEach(async () => {
    source = await ModelSource.open({ [name]: { size } });
    stage = await openStage(undefined, {
      settings: { storage: { type: "sqlite" }, "downloads.base_url": source.url },
    });
  });
  afterEach(async () => {
    await stage.end();
    await source.close();
  });

  const start = async (body: object = { repoId: "owner/model" }) =>
    (await stage.host.json<Started>("POST", root, body)).body;
  const statusOf = async (id: string) =>
    (await stage.host.json<DownloadStatus>("GET", `${root}/${id}/status`)).body;
  const codeOf = async (method: string, route: string, body?: unknown) => {
    const answer = await stage.host.json<Partial<Failed>>(method, route, body);
    return [answer.status, answer.body.error?.code];
  };
  const until = async (id: string, fits: (status: DownloadStatus) => boolean): Promise<DownloadStatus> => {
    for (;;) {
      const status = await statusOf(id);
      if (fits(status)) return status;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const ended = (id: string) => until(id, ({ status }) => /completed|failed|cancelled/.test(status));
  /** One that is at work, some bytes of it there. */
  const halfway = async () => {
    source.pace = 400_000;
    const { downloadId } = await start();
    await until(
      downloadId,
      ({ status, bytesDownloaded }) => status === "downloading" && bytesDownloaded > 100_000,
    );
    return downloadId;
  };
  const eventsOf = async (id: string) => {
    const text = await (await stage.host.request("GET", `${root}/${id}/events`)).text();
    return text
      .split("\n\n")
      .filter((block) => block !== "" && !block.startsWith(":"))
      .map((block) => /^event: (\w+)\ndata: (.+)$/.exec(block)!)
      .map(([, event, data]) => ({ event, data: JSON.parse(data!) as DownloadStatus }));
  };

  verifies(
    ["downloads:start", "R05"],
    "a model comes whole, and the same target is not fetched again",
    async () => {
      const { status, body } = await stage.host.json<Started>("POST", root, { repoId: "owner/model" });
      expect([status, Object.keys(body)]).to.deep.equal([
        200,
        ["downloadId", "repoId", "filename", "status"],
      ]);
      expect(body).to.deep.include({ repoId: "owner/model", filename: name, status: "starting" });
      expect(body.downloadId).to.match(uuid);
      const done = await ended(body.downloadId);
      expect([done.status, done.error]).to.deep.equal(["completed", null]);
      expect(existsSync(path.join(stage.host.dataDirectory, "models/owner/model", name))).to.equal(true);
      expect(await start()).to.deep.include({
        downloadId: body.downloadId,
        existing: true,
        status: "completed",
      });
      expect(await start({ repoId: "owner/model", filename: name })).to.deep.include({
        downloadId: body.downloadId,
        existing: true,
      });
      expect(source.asksFor(name)).to.have.length(1);
    },
  );

  verifies(
    ["downloads:status", "R05"],
    "every field of the status is filled while it works and when it is done",
    async () => {
      const id = await halfway();
      const working = await statusOf(id.toUpperCase());
      expect(Object.keys(working)).to.deep.equal(
        "downloadId repoId filename status progress bytesDownloaded totalBytes downloadSpeed eta error files modelId startedAt updatedAt".split(
          " ",
        ),
      );
      expect(working).to.deep.include({
        downloadId: id,
        status: "downloading",
        totalBytes: size,
        error: null,
        modelId: null,
      });
      expect(working.progress).to.be.closeTo(working.bytesDownloaded / size, 1e-9);
      expect(working.downloadSpeed).to.be.within(100_000, 1_000_000);
      expect(working.eta).to.be.within(1, 10);
      expect(working.files).to.deep.equal([
        { name, bytesDownloaded: working.bytesDownloaded, totalBytes: size, status: "downloading" },
      ]);
      const done = await ended(id);
      expect(done).to.deep.include({
        status: "completed",
        progress: 1,
        downloadSpeed: 0,
        eta: null,
        modelId: "llama/owner/model/tiny-Q4_K_M",
      });
      expect(Date.parse(done.updatedAt)).to.be.above(Date.parse(done.startedAt));
      expect(await codeOf("GET", `${root}/${unknown}/status`)).to.deep.equal([404, "not_found"]);
      expect(await codeOf("GET", `${root}/nothing/status`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(["downloads:refused", "R16"], "hostile names are 400 and leave nothing", async () => {
    const bad: readonly (readonly [object, string])[] = [
      [{}, "repoId"],
      [{ repoId: 7 }, "repoId"],
      ...["../..", "owner/..", "owner", "a/b/c", "owner/%2e%2e", "/etc/passwd", "o\\w/n"].map(
        (repoId) => [{ repoId }, "repoId"] as const,
      ),
      ...[
        "../../x.gguf",
        "/etc/passwd",
        "a/../../x",
        "..\\x",
        "%2e%2e/x",
        "x\u0000.gguf",
        "C:x",
        "none.gguf",
      ].map((filename) => [{ repoId: "owner/model", filename }, "filename"] as const),
      ...["../x", "a b", "-x"].map((revision) => [{ repoId: "owner/model", revision }, "revision"] as const),
      ...["sha256:../../x", "a".repeat(63), "a".repeat(65), "A".repeat(64), "%2e%2e"].map(
        (sha256) => [{ repoId: "owner/model", sha256 }, "sha256"] as const,
      ),
      ...[
        "http://huggingface.co/a/b/resolve/main/x.gguf",
        "https://evil.example/x.gguf",
        "https://127.0.0.1/x",
        "file:///etc/passwd",
      ].map((modelUrl) => [{ modelUrl }, "modelUrl"] as const),
    ];
    for (const [body, param] of bad) {
      const answer = await stage.host.json<Failed>("POST", root, body);
      expect([answer.status, answer.body.error.param], JSON.stringify(body)).to.deep.equal([400, param]);
    }
    expect(await codeOf("POST", root, { repoId: "owner/model" })).to.deep.equal([200, undefined]);
    expect((await stage.host.json<{ readonly count: number }>("GET", root)).body.count).to.equal(1);
  });

  it("M2: the name or the page of a repository as modelUrl means the repository, with all that it needs", async () => {
    const forms = ["owner/model", `${source.url}/owner/model`, `${source.url}/owner/model/tree/main/`];
    const ids = new Set<string>();
    for (const modelUrl of forms) {
      const { downloadId } = await start({ modelUrl });
      const { status, repoId, files, modelId } = await ended(downloadId);
      expect([status, repoId, files.map((file) => file.name)]).to.deep.equal([
        "completed",
        "owner/model",
        [name],
      ]);
      expect(modelId).to.equal("llama/owner/model/tiny-Q4_K_M");
      ids.add(downloadId);
    }
    expect(ids.size).to.equal(1);
  });

  it("M5: a file that is no model, whatever its name says, fails and leaves nothing", async () => {
    source.put(name, { size, head: "<!doctype html>" });
    const { downloadId } = await start();
    const { status, error, modelId } = await ended(downloadId);
    expect([status, modelId ?? null]).to.deep.equal(["failed", null]);
    expect(error).to.include("is no GGUF file").and.include("Choose another file");
    expect(readdirSync(path.join(stage.host.dataDirectory, "models"), { recursive: true })).to.deep.equal([]);
  });

  it("M7: a download that is begun again says since when", async () => {
    const id = await halfway();
    const { startedAt: first } = await statusOf(id);
    await stage.host.request("DELETE", `${root}/${id}?keepPartial=true`);
    source.pace = 0;
    await stage.host.request("POST", `${root}/${id}/resume`);
    const { startedAt } = await ended(id);
    expect(Date.parse(startedAt)).to.be.above(Date.parse(first));
  });

  verifies(
    "downloads:refused",
    "a source that fails or cannot be reached is 502, a limit 429, and nothing is begun",
    async () => {
      for (const [status, expected] of [
        [500, [502, "provider_error"]],
        [401, [502, "provider_auth_failed"]],
        [404, [400, "invalid_value"]],
        [429, [429, "provider_rate_limited"]],
      ] as const) {
        source.catalogue = () => ({ status, body: "{}" });
        expect(await codeOf("POST", root, { repoId: "owner/model" })).to.deep.equal(expected);
      }
      await source.close();
      expect(await codeOf("POST", root, { repoId: "owner/model" })).to.deep.equal([502, "provider_error"]);
      expect((await stage.host.json<{ readonly count: number }>("GET", root)).body.count).to.equal(0);
      source = await ModelSource.open();
    },
  );

  verifies("downloads:list", "they are listed, the newest first, and by state", async () => {
    source.put("other-Q8_0.gguf", { size: 10 });
    const first = (await start()).downloadId;
    await ended(first);
    source.trouble("other-Q8_0.gguf", { status: 404 });
    const second = (await start({ repoId: "owner/model", filename: "other-Q8_0.gguf" })).downloadId;
    await ended(second);
    const list = async (query = "") =>
      (await stage.host.json<{ downloads: DownloadStatus[]; count: number }>("GET", root + query)).body;
    expect((await list()).downloads.map(({ downloadId }) => downloadId)).to.deep.equal([second, first]);
    expect(await list("?status=failed")).to.deep.equal({ downloads: [await statusOf(second)], count: 1 });
    expect((await list("?status=cancelled")).count).to.equal(0);
    expect(await codeOf("GET", `${root}?status=odd`)).to.deep.equal([400, "invalid_value"]);
  });

  verifies(
    ["downloads:cancel", "R06", "R07"],
    "a cancel removes what had come; what has ended cannot be cancelled",
    async () => {
      const id = await halfway();
      const { status, body } = await stage.host.json<Record<string, string>>("DELETE", `${root}/${id}`);
      expect([status, body["downloadId"], body["status"], typeof body["message"]]).to.deep.equal([
        200,
        id,
        "cancelled",
        "string",
      ]);
      expect(existsSync(path.join(stage.host.dataDirectory, "models/owner"))).to.equal(false);
      expect(await codeOf("DELETE", `${root}/${id}`)).to.deep.equal([200, undefined]);
      expect(await statusOf(id)).to.deep.include({ status: "cancelled", bytesDownloaded: 0 });
      source.pace = 0;
      await stage.host.request("POST", `${root}/${id}/resume`);
      await ended(id);
      expect(await codeOf("DELETE", `${root}/${id}`)).to.deep.equal([409, "download_finished"]);
      expect(await codeOf("DELETE", `${root}/${unknown}`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    ["downloads:resume", "R07"],
    "what was cancelled with its bytes kept goes on from there",
    async () => {
      const id = await halfway();
      expect(await codeOf("POST", `${root}/${id}/resume`)).to.deep.equal([409, "not_resumable"]);
      await stage.host.request("DELETE", `${root}/${id}?keepPartial=true`);
      const kept = (await statusOf(id)).bytesDownloaded;
      expect(kept).to.be.above(100_000);
      source.pace = 0;
      const { status, body } = await stage.host.json<DownloadStatus>("POST", `${root}/${id}/resume`);
      expect([status, body.downloadId, body.status]).to.deep.equal([200, id, "starting"]);
      expect((await ended(id)).status).to.equal("completed");
      expect(source.asksFor(name)[1]?.headers.range).to.equal(`bytes=${kept}-`);
      expect(await codeOf("POST", `${root}/${id}/resume`)).to.deep.equal([409, "not_resumable"]);
      expect(await codeOf("POST", `${root}/${unknown}/resume`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    ["downloads:discard", "R07"],
    "what a failed one has kept is removed by itself; one at work or done keeps what it has",
    async () => {
      const id = await halfway();
      expect(await codeOf("DELETE", `${root}/${id}/partial`)).to.deep.equal([409, "not_resumable"]);
      await stage.host.restart();
      expect((await statusOf(id)).bytesDownloaded).to.be.above(100_000);
      const { status, body } = await stage.host.json<DownloadStatus>("DELETE", `${root}/${id}/partial`);
      expect([status, body.status, body.bytesDownloaded]).to.deep.equal([200, "failed", 0]);
      expect(existsSync(path.join(stage.host.dataDirectory, "models/owner"))).to.equal(false);
      expect(await codeOf("DELETE", `${root}/${unknown}/partial`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    ["downloads:restart", "R07"],
    "a restart leaves it failed, interrupted, and it can be resumed",
    async () => {
      const id = await halfway();
      const follow = stage.host.request("GET", `${root}/${id}/events`).then((answer) => answer.text());
      const begun = Date.now();
      await stage.host.restart();
      expect(Date.now() - begun).to.be.below(4500);
      expect(await follow).to.match(/event: end\ndata: .*"error":"interrupted"/);
      expect(await statusOf(id)).to.deep.include({
        status: "failed",
        error: "interrupted",
        totalBytes: size,
      });
      source.pace = 0;
      await stage.host.request("POST", `${root}/${id}/resume`);
      expect((await ended(id)).status).to.equal("completed");
      expect(source.asksFor(name)[1]?.headers.range).to.match(/^bytes=[1-9]/);
    },
  );

  verifies(
    "downloads:events",
    "events begin with the status, tell progress at most twice a second, and end with the end",
    async () => {
      const id = await halfway();
      const events = await eventsOf(id);
      const states = events.map(({ event, data }) => `${event} ${data.status}`);
      expect(states.slice(0, 1).concat(states.slice(-2))).to.deep.equal([
        "progress downloading",
        "progress completed",
        "end completed",
      ]);
      const progress = states.filter((state) => state === "progress downloading");
      expect(progress.length).to.be.within(2, 5);
      expect(events.at(-1)?.data).to.deep.equal(await statusOf(id));
      expect((await eventsOf(id)).map(({ event }) => event)).to.deep.equal(["progress", "end"]);
      expect(await codeOf("GET", `${root}/${unknown}/events`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies("downloads:search", "the source is asked for models; what it makes up is left out", async () => {
    const { status, body } = await stage.host.json<Found>("GET", `${root}/search?q=tiny%20model&limit=5`);
    const found = {
      repoId: "owner/model",
      downloads: 7,
      likes: 1,
      updatedAt: "2026-01-02T03:04:05.000Z",
      gated: false,
      files: [{ filename: name, sizeBytes: size, quantization: "Q4_K_M", fits: "yes" }],
    };
    const { machine, ...rest } = body;
    expect([status, rest]).to.deep.equal([200, { models: [found], count: 1 }]);
    expect(machine.memoryBytes).to.be.within(machine.freeMemoryBytes, 2 ** 50);
    expect(machine.freeDiskBytes).to.be.above(size);
    expect(source.asked.map(({ path: asked }) => asked)).to.deep.equal([
      "/api/models?search=tiny+model&filter=gguf&sort=downloads&direction=-1&limit=5",
      "/api/models/owner/model/revision/main?blobs=true",
    ]);
    expect(await codeOf("GET", `${root}/search?limit=0`)).to.deep.equal([400, "out_of_range"]);
  });

  verifies(
    "downloads:search",
    "says of each file whether it fits; of one that hides its size not",
    async () => {
      await stage.end();
      await source.close();
      source = await ModelSource.open({
        "huge-Q8_0.gguf": { size: 1000, told: { size: 2 ** 50 } },
        "part-Q4_K_M-00001-of-00002.gguf": { size: 100 },
        "part-Q4_K_M-00002-of-00002.gguf": { size: 200 },
        "silent-F16.gguf": { size: 1000, told: { size: null } },
        "README.md": { size: 10 },
      });
      stage = await openStage(undefined, {
        settings: { storage: { type: "sqlite" }, "downloads.base_url": source.url },
      });
      const { body } = await stage.host.json<Found>("GET", `${root}/search`);
      expect(body.models[0]?.files).to.deep.equal([
        { filename: "part-Q4_K_M-00001-of-00002.gguf", sizeBytes: 300, quantization: "Q4_K_M", fits: "yes" },
        { filename: "huge-Q8_0.gguf", sizeBytes: 2 ** 50, quantization: "Q8_0", fits: "no" },
        { filename: "silent-F16.gguf", sizeBytes: null, quantization: "F16", fits: "unknown" },
      ]);
      source.catalogue = (asked) =>
        asked.includes("/revision/")
          ? { status: 500, body: "{}" }
          : { status: 200, body: JSON.stringify([{ id: "owner/model" }]) };
      const broken = await stage.host.json<Found>("GET", `${root}/search`);
      expect(broken.body.models.map(({ files }) => files)).to.deep.equal([[]]);
    },
  );

  verifies(
    "downloads:paths",
    "paths below download are never models, and take their own methods only",
    async () => {
      const id = (await start()).downloadId;
      await ended(id);
      for (const [method, route, allow] of [
        ["GET", `${root}/${id}`, "DELETE"],
        ["DELETE", root, "POST, GET, HEAD"],
        ["POST", `${root}/${id}/events`, "GET, HEAD"],
      ] as const) {
        const answer = await stage.host.request(method, route);
        expect([answer.status, answer.headers.get("allow")?.split(", ").sort()], route).to.deep.equal([
          405,
          allow.split(", ").sort(),
        ]);
      }
      expect(await codeOf("GET", `${root}/${id}/other`)).to.deep.equal([404, "route_not_found"]);
      await stage.end();
      stage = await openStage(undefined, { settings: { "endpoints.downloads.enabled": false } });
      for (const [method, route] of [
        ["POST", root],
        ["GET", root],
        ["DELETE", `${root}/${id}`],
        ["GET", "/api/models/%64ownload"],
      ] as const)
        expect(await codeOf(method, route, method === "POST" ? {} : undefined), route).to.deep.equal([
          404,
          "route_not_found",
        ]);
    },
  );
});
