import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { DownloadStatus } from "@pergola/sdk/host";
import {
  commandOf,
  freePort,
  openProject,
  watchProgram,
  type Program,
  type Project,
} from "../support/pergola.ts";
import { ModelSource } from "../support/model-source.ts";

const name = "tiny-Q4_K_M.gguf";
const size = 3_000_000;

describe("F15: a download and the end of its service", function () {
  this.timeout(60_000);
  let source: ModelSource;
  let project: Project;
  let url = "";

  beforeEach(async () => {
    source = await ModelSource.open({ [name]: { size } });
    project = await openProject();
    project.settings({ "downloads.base_url": source.url });
  });
  afterEach(async () => {
    await project.close();
    await source.close();
  });

  const serve = async (): Promise<Program> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/api/models/download`;
    const program = project.begin(["start", "--port", String(port)]);
    await program.wrote("stop with Ctrl-C");
    return program;
  };
  const ask = async <T = DownloadStatus>(method: string, route: string, body?: object): Promise<T> => {
    const headers = { "content-type": "application/json" };
    return (await (
      await fetch(url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    ).json()) as T;
  };
  const until = async (id: string, fits: (status: DownloadStatus) => boolean): Promise<DownloadStatus> => {
    for (;;) {
      const status = await ask("GET", `/${id}/status`);
      if (fits(status)) return status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const folder = () => path.join(project.data, "models/owner/model");

  it("kill -9: what was at work is failed, interrupted, shows no file, and goes on by range to the right hash", async () => {
    source.pace = 1_500_000;
    let service = await serve();
    const { downloadId } = await ask("POST", "", { repoId: "owner/model" });
    for (const bytes of [500_000, 1_500_000]) {
      await until(
        downloadId,
        ({ status, bytesDownloaded }) => status === "downloading" && bytesDownloaded > bytes,
      );
      expect(await service.end("SIGKILL")).to.equal("SIGKILL");
      expect([existsSync(path.join(folder(), name)), readdirSync(folder()).length]).to.deep.equal([false, 1]);
      service = await serve();
      const cut = await until(downloadId, () => true);
      expect([cut.status, cut.error, cut.bytesDownloaded > bytes]).to.deep.equal([
        "failed",
        "interrupted",
        true,
      ]);
      await ask("POST", `/${downloadId}/resume`);
    }
    expect(await until(downloadId, ({ status }) => /completed|failed/.test(status))).to.deep.include({
      status: "completed",
      error: null,
    });
    expect(readdirSync(folder())).to.deep.equal([name]);
    expect(
      createHash("sha256")
        .update(readFileSync(path.join(folder(), name)))
        .digest("hex"),
    ).to.equal(source.sha256(name));
    for (const { headers } of source.asksFor(name).slice(1)) expect(headers.range).to.match(/^bytes=[1-9]/);
  });

  it("F5: where the system lets no file become so large, the download fails and the service goes on", async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/api/models/download`;
    const words = [
      "start",
      "--port",
      String(port),
      "--settings",
      project.settings({ "downloads.base_url": source.url, storage: { type: "sqlite" } }),
    ];
    const limited = [
      "-c",
      'ulimit -f 2000; exec "$@"',
      "bash",
      ...commandOf("build"),
      ...words,
      "--data",
      project.data,
    ];
    const service = watchProgram(spawn("bash", limited, { cwd: project.folder, env: project.environment }));
    await service.wrote("stop with Ctrl-C");
    const { downloadId } = await ask("POST", "", { repoId: "owner/model" });
    const failed = await until(downloadId, ({ status }) => /completed|failed/.test(status));
    expect(failed.error).to.equal("The system does not allow files of that size. What had come was removed.");
    expect(existsSync(path.join(project.data, "models/owner"))).to.equal(false);
    expect((await ask<{ readonly count: number }>("GET", "")).count).to.equal(1);
    expect(await service.end()).to.equal(0);
  });
});
