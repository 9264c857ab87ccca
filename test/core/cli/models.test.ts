import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { DownloadStatus } from "@pergola/sdk/host";
import { ModelSource } from "../../support/model-source.ts";
import { commandOf, openProject, watchProgram, type Project } from "../../support/pergola.ts";

const name = "tiny-Q4_K_M.gguf";
const size = 1_500_000;
const player = path.resolve(import.meta.dirname, "../../support/terminal.py");

describe("pergola models", function () {
  this.timeout(40_000);
  let source: ModelSource;
  let project: Project;

  beforeEach(async () => {
    source = await ModelSource.open({ [name]: { size } });
    project = await openProject();
    project.settings({ "downloads.base_url": source.url });
  });
  afterEach(async () => {
    await project.close();
    await source.close();
  });

  const folder = () => path.join(project.data, "models/owner/model");
  const models = (...words: readonly string[]) => project.run(["models", ...words]);

  it("P10: finds, downloads and lists, naming the default: the model's id goes to stdout, the progress to stderr", async () => {
    const found = await models("search", "tiny", "model", "--limit", "5");
    expect([found.code, found.stdout]).to.deep.equal([0, "owner/model 7 downloads, 1 likes\n"]);
    expect(source.asked.at(0)?.path).to.include("search=tiny+model").and.include("limit=5");
    const { code, stdout, stderr } = await models("download", "owner/model");
    expect([code, stdout]).to.deep.equal([0, "llama/owner/model/tiny-Q4_K_M\n"]);
    expect(stderr).to.match(/^completed: 100 %, 1\.5 MB of 1\.5 MB$/m);
    expect(readdirSync(folder())).to.deep.equal([name]);
    const listed = await models("list");
    expect([listed.code, listed.stdout.includes("custom/test the default\n")]).to.deep.equal([0, true]);
  });

  it("gives out each status as a line of JSON", async () => {
    const { code, stdout, stderr } = await models("download", "owner/model", name, "--json");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as DownloadStatus);
    expect([code, stderr, lines.at(-1)?.status, lines.at(-1)?.bytesDownloaded]).to.deep.equal([
      0,
      "",
      "completed",
      size,
    ]);
    const found = JSON.parse((await models("search", "--json")).stdout) as {
      readonly models: readonly object[];
    };
    expect(found.models).to.have.length(1);
  });

  it("stops at Ctrl-C and keeps what has come; the same command goes on", async () => {
    source.pace = 400_000;
    const first = project.begin(["models", "download", "owner/model"]);
    await first.wrote("downloading:");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await first.end("SIGINT")).to.equal(130);
    expect(first.stderr).to.include("the same command goes on");
    expect(readdirSync(folder())).to.have.length(1);
    const listed = await models("list");
    expect(listed.stdout).to.match(/^owner\/model\/tiny-Q4_K_M\.gguf \(cancelled: \d+ %, /m);
    source.pace = 0;
    expect((await models("download", "owner/model")).code).to.equal(0);
    expect(source.asksFor(name)[1]?.headers.range).to.match(/^bytes=[1-9]/);
  });

  it("removes what has come of one that failed, by the name that the list shows", async () => {
    source.trouble(name, { cutAt: 600_000 }, { status: 404 });
    expect((await models("download", "owner/model")).code).to.equal(1);
    expect(readdirSync(folder())).to.have.length(1);
    const listed = await models("list");
    expect(listed.stdout).to.match(/^owner\/model\/tiny-Q4_K_M\.gguf \(failed: /m);
    const removed = await models("remove", "owner/model/tiny-Q4_K_M.gguf");
    expect([removed.code, removed.stderr]).to.deep.equal([0, "Removed owner/model/tiny-Q4_K_M.gguf.\n"]);
    expect(existsSync(folder())).to.equal(false);
  });

  it("ends with 1 and says why when it fails, with 2 for a name that is none", async () => {
    source.trouble(name, { status: 404 });
    const failed = await models("download", "owner/model");
    expect([failed.code, failed.stdout]).to.deep.equal([1, ""]);
    expect(failed.stderr).to.include("The file is not at the source.");
    const wrong = await models("download", "../model");
    expect([wrong.code, wrong.stderr.includes("repoId must be")]).to.deep.equal([2, true]);
    const unknown = await models("remove", "custom/none such");
    expect([unknown.code, unknown.stderr.trim() === ""]).to.deep.equal([1, false]);
  });

  it("draws a bar at a terminal", async function () {
    try {
      execFileSync("python3", ["-c", "import pty"], { stdio: "ignore" });
    } catch {
      if (process.env["PERGOLA_REQUIRE_ALL"] === "1") throw new Error("python3 is missing");
      process.stderr.write("    the test of the bar is left out: install the package python3\n");
      this.skip();
    }
    source.pace = 1_000_000;
    const command = [...commandOf("build"), "models", "download", "owner/model", "--data", project.data];
    const given = [...command, "--settings", project.settings({ "downloads.base_url": source.url })];
    const env = { ...project.environment, TERM: "xterm" };
    const steps = JSON.stringify([
      [" of 1.5 MB", ""],
      ["llama/owner/model", ""],
    ]);
    const program = watchProgram(spawn("python3", [player, steps, ...given], { cwd: project.folder, env }));
    expect(await program.ended).to.equal(0);
    expect(program.stdout).to.match(/\r\[#+·+\] \d+ %, [\d.]+ [kM]B of 1\.5 MB, [\d.]+ [kM]B\/s, \d+ s left/);
    expect(program.stdout).to.match(/\[#{10,40}\] 100 %, 1\.5 MB of 1\.5 MB/);
    expect(existsSync(path.join(folder(), name))).to.equal(true);
  });
});
