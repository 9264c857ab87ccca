import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { DownloadStatus } from "@pergola/sdk/host";
import { file, openDownloadStage, root, unknown, type DownloadStage } from "../support/download-stage.ts";
import { verifies } from "../support/verifies.ts";

const { name, size } = file;

describe("downloads that end, and go on", function () {
  this.timeout(30_000);
  let stage: DownloadStage;
  beforeEach(async () => {
    stage = await openDownloadStage();
  });
  afterEach(() => stage.end());

  verifies(
    ["downloads:cancel", "R06", "R07"],
    "a cancel removes what had come; what has ended cannot be cancelled",
    async () => {
      const id = await stage.halfway();
      const { status, body } = await stage.host.json<Record<string, string>>("DELETE", `${root}/${id}`);
      expect([status, body["downloadId"], body["status"], typeof body["message"]]).to.deep.equal([
        200,
        id,
        "cancelled",
        "string",
      ]);
      expect(existsSync(path.join(stage.host.dataDirectory, "models/owner"))).to.equal(false);
      expect(await stage.codeOf("DELETE", `${root}/${id}`)).to.deep.equal([200, undefined]);
      expect(await stage.statusOf(id)).to.deep.include({ status: "cancelled", bytesDownloaded: 0 });
      stage.source.pace = 0;
      await stage.host.request("POST", `${root}/${id}/resume`);
      await stage.ended(id);
      expect(await stage.codeOf("DELETE", `${root}/${id}`)).to.deep.equal([409, "download_finished"]);
      expect(await stage.codeOf("DELETE", `${root}/${unknown}`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    ["downloads:resume", "R07"],
    "what was cancelled with its bytes kept goes on from there",
    async () => {
      const id = await stage.halfway();
      expect(await stage.codeOf("POST", `${root}/${id}/resume`)).to.deep.equal([409, "not_resumable"]);
      await stage.host.request("DELETE", `${root}/${id}?keepPartial=true`);
      const kept = (await stage.statusOf(id)).bytesDownloaded;
      expect(kept).to.be.above(100_000);
      stage.source.pace = 0;
      const { status, body } = await stage.host.json<DownloadStatus>("POST", `${root}/${id}/resume`);
      expect([status, body.downloadId, body.status]).to.deep.equal([200, id, "starting"]);
      expect((await stage.ended(id)).status).to.equal("completed");
      expect(stage.source.asksFor(name)[1]?.headers.range).to.equal(`bytes=${kept}-`);
      expect(await stage.codeOf("POST", `${root}/${id}/resume`)).to.deep.equal([409, "not_resumable"]);
      expect(await stage.codeOf("POST", `${root}/${unknown}/resume`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    ["downloads:discard", "R07"],
    "what a failed one has kept is removed by itself; one at work or done keeps what it has",
    async () => {
      const id = await stage.halfway();
      expect(await stage.codeOf("DELETE", `${root}/${id}/partial`)).to.deep.equal([409, "not_resumable"]);
      await stage.host.restart();
      expect((await stage.statusOf(id)).bytesDownloaded).to.be.above(100_000);
      const { status, body } = await stage.host.json<DownloadStatus>("DELETE", `${root}/${id}/partial`);
      expect([status, body.status, body.bytesDownloaded]).to.deep.equal([200, "failed", 0]);
      expect(existsSync(path.join(stage.host.dataDirectory, "models/owner"))).to.equal(false);
      expect(await stage.codeOf("DELETE", `${root}/${unknown}/partial`)).to.deep.equal([404, "not_found"]);
    },
  );

  verifies(
    ["downloads:restart", "R07"],
    "a restart leaves it failed, interrupted, and it can be resumed",
    async () => {
      const id = await stage.halfway();
      const follow = stage.host.request("GET", `${root}/${id}/events`).then((answer) => answer.text());
      const begun = Date.now();
      await stage.host.restart();
      expect(Date.now() - begun).to.be.below(4500);
      expect(await follow).to.match(/event: end\ndata: .*"error":"interrupted"/);
      expect(await stage.statusOf(id)).to.deep.include({
        status: "failed",
        error: "interrupted",
        totalBytes: size,
      });
      stage.source.pace = 0;
      await stage.host.request("POST", `${root}/${id}/resume`);
      expect((await stage.ended(id)).status).to.equal("completed");
      expect(stage.source.asksFor(name)[1]?.headers.range).to.match(/^bytes=[1-9]/);
    },
  );

  verifies(
    "downloads:events",
    "events begin with the status, tell progress at most twice a second, and end with the end",
    async () => {
      const id = await stage.halfway();
      const events = await stage.eventsOf(id);
      const states = events.map(({ event, data }) => `${event} ${data.status}`);
      expect(states.slice(0, 1).concat(states.slice(-2))).to.deep.equal([
        "progress downloading",
        "progress completed",
        "end completed",
      ]);
      const progress = states.filter((state) => state === "progress downloading");
      expect(progress.length).to.be.within(2, 5);
      expect(events.at(-1)?.data).to.deep.equal(await stage.statusOf(id));
      expect((await stage.eventsOf(id)).map(({ event }) => event)).to.deep.equal(["progress", "end"]);
      expect(await stage.codeOf("GET", `${root}/${unknown}/events`)).to.deep.equal([404, "not_found"]);
    },
  );
});
