import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { DownloadStatus } from "@pergola/sdk/host";
import {
  file,
  openDownloadStage,
  root,
  unknown,
  type DownloadStage,
  type Failed,
  type Started,
} from "../support/download-stage.ts";
import { verifies } from "../support/verifies.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const { name, size } = file;

describe("downloads", function () {
  this.timeout(30_000);
  let stage: DownloadStage;
  beforeEach(async () => {
    stage = await openDownloadStage();
  });
  afterEach(() => stage.end());

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
      const done = await stage.ended(body.downloadId);
      expect([done.status, done.error]).to.deep.equal(["completed", null]);
      expect(existsSync(path.join(stage.host.dataDirectory, "models/owner/model", name))).to.equal(true);
      expect(await stage.start()).to.deep.include({
        downloadId: body.downloadId,
        existing: true,
        status: "completed",
      });
      expect(await stage.start({ repoId: "owner/model", filename: name })).to.deep.include({
        downloadId: body.downloadId,
        existing: true,
      });
      expect(stage.source.asksFor(name)).to.have.length(1);
    },
  );

  verifies(
    ["downloads:status", "R05"],
    "every field of the status is filled while it works and when it is done",
    async () => {
      const id = await stage.halfway();
      const working = await stage.statusOf(id.toUpperCase());
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
      const done = await stage.ended(id);
      expect(done).to.deep.include({
        status: "completed",
        progress: 1,
        downloadSpeed: 0,
        eta: null,
        modelId: "llama/owner/model/tiny-Q4_K_M",
      });
      expect(Date.parse(done.updatedAt)).to.be.above(Date.parse(done.startedAt));
      expect(await stage.codeOf("GET", `${root}/${unknown}/status`)).to.deep.equal([404, "not_found"]);
      expect(await stage.codeOf("GET", `${root}/nothing/status`)).to.deep.equal([404, "not_found"]);
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
    expect(await stage.codeOf("POST", root, { repoId: "owner/model" })).to.deep.equal([200, undefined]);
    expect((await stage.host.json<{ readonly count: number }>("GET", root)).body.count).to.equal(1);
  });

  it("M2: the name or the page of a repository as modelUrl means the repository, with all that it needs", async () => {
    const forms = [
      "owner/model",
      `${stage.source.url}/owner/model`,
      `${stage.source.url}/owner/model/tree/main/`,
    ];
    const ids = new Set<string>();
    for (const modelUrl of forms) {
      const { downloadId } = await stage.start({ modelUrl });
      const { status, repoId, files, modelId } = await stage.ended(downloadId);
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
    stage.source.put(name, { size, head: "<!doctype html>" });
    const { downloadId } = await stage.start();
    const { status, error, modelId } = await stage.ended(downloadId);
    expect([status, modelId ?? null]).to.deep.equal(["failed", null]);
    expect(error).to.include("is no GGUF file").and.include("Choose another file");
    expect(readdirSync(path.join(stage.host.dataDirectory, "models"), { recursive: true })).to.deep.equal([]);
  });

  it("M7: a download that is begun again says since when", async () => {
    const id = await stage.halfway();
    const { startedAt: first } = await stage.statusOf(id);
    await stage.host.request("DELETE", `${root}/${id}?keepPartial=true`);
    stage.source.pace = 0;
    await stage.host.request("POST", `${root}/${id}/resume`);
    const { startedAt } = await stage.ended(id);
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
        stage.source.catalogue = () => ({ status, body: "{}" });
        expect(await stage.codeOf("POST", root, { repoId: "owner/model" })).to.deep.equal(expected);
      }
      await stage.source.close();
      expect(await stage.codeOf("POST", root, { repoId: "owner/model" })).to.deep.equal([
        502,
        "provider_error",
      ]);
      expect((await stage.host.json<{ readonly count: number }>("GET", root)).body.count).to.equal(0);
    },
  );

  verifies("downloads:list", "they are listed, the newest first, and by state", async () => {
    stage.source.put("other-Q8_0.gguf", { size: 10 });
    const first = (await stage.start()).downloadId;
    await stage.ended(first);
    stage.source.trouble("other-Q8_0.gguf", { status: 404 });
    const second = (await stage.start({ repoId: "owner/model", filename: "other-Q8_0.gguf" })).downloadId;
    await stage.ended(second);
    const list = async (query = "") =>
      (await stage.host.json<{ downloads: DownloadStatus[]; count: number }>("GET", root + query)).body;
    expect((await list()).downloads.map(({ downloadId }) => downloadId)).to.deep.equal([second, first]);
    expect(await list("?status=failed")).to.deep.equal({
      downloads: [await stage.statusOf(second)],
      count: 1,
    });
    expect((await list("?status=cancelled")).count).to.equal(0);
    expect(await stage.codeOf("GET", `${root}?status=odd`)).to.deep.equal([400, "invalid_value"]);
  });

  verifies(
    "downloads:paths",
    "paths below download are never models, and take their own methods only",
    async () => {
      const id = (await stage.start()).downloadId;
      await stage.ended(id);
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
      expect(await stage.codeOf("GET", `${root}/${id}/other`)).to.deep.equal([404, "route_not_found"]);
      await stage.end();
      stage = await openDownloadStage(undefined, { "endpoints.downloads.enabled": false });
      for (const [method, route] of [
        ["POST", root],
        ["GET", root],
        ["DELETE", `${root}/${id}`],
        ["GET", "/api/models/%64ownload"],
      ] as const)
        expect(await stage.codeOf(method, route, method === "POST" ? {} : undefined), route).to.deep.equal([
          404,
          "route_not_found",
        ]);
    },
  );
});
