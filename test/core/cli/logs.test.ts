import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { logFiles, LogFile } from "../../../core/log-file.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { toolPlugin } from "../../support/plugins/write-plugin.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";

const line = (msg: string, more: object = {}): string =>
  `${JSON.stringify({ level: "info", time: "2026-01-31T09:05:00.000Z", ...more, msg })}\n`;

describe("pergola logs", function () {
  this.timeout(180_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());
  const keep = (...lines: readonly string[]): void => {
    const [, newest] = logFiles(project.data);
    mkdirSync(path.dirname(newest), { recursive: true, mode: 0o700 });
    writeFileSync(newest, lines.join(""));
  };

  it("says that no service runs, and how to start one", async () => {
    const { code, stdout, stderr } = await project.run(["logs"]);
    expect([code, stdout]).to.deep.equal([3, ""]);
    expect(stderr).to.include("No service runs on this data").and.include("pergola start");
  });

  it("says so where no line fits", async () => {
    keep(line("rolled", { plugin: "tool-dice" }));
    const { code, stdout, stderr } = await project.run(["logs", "--plugin", "tool-rice"]);
    expect([code, stdout]).to.deep.equal([0, ""]);
    expect(stderr).to.include("Nothing that fits was logged.").and.include("pergola plugins list");
  });

  it("shows the last lines of a service that has ended, by plugin and level", async () => {
    const all = [
      line("rolled", { plugin: "tool-dice", sum: 7 }),
      line("lost", { plugin: "tool-dice", level: "warn", error: { message: "no die", stack: "x" } }),
      line("tool-dice writes", { plugin: "tool-dice", output: "one\ntwo\n" }),
      line("serving", { url: "http://127.0.0.1:1" }),
    ];
    keep(...all, "{ cut off");
    const show = async (...words: readonly string[]) => (await project.run(["logs", ...words])).stdout;
    const { code, stdout, stderr } = await project.run(["logs"]);
    expect([code, stderr.includes("these are the lines of the last one")]).to.deep.equal([0, true]);
    expect(stdout)
      .to.match(/^\d{4}-\d\d-\d\d \d\d:05:00 info {2}tool-dice: rolled sum=7$/m)
      .and.match(/ warn {2}tool-dice: lost error=no die$/m)
      .and.match(/ info {2}tool-dice: one\n\S+ \S+ info {2}tool-dice: two\n/)
      .and.match(/ info {2}serving url=http:\/\/127\.0\.0\.1:1\n$/);
    expect(await show("--level", "warn")).to.match(/^\S+ \S+ warn {2}tool-dice: lost error=no die\n$/);
    expect(await show("--plugin", "tool-dice", "-n", "1", "--json")).to.equal(all[2]);
    expect((await project.run(["logs", "--level", "loud"])).code).to.equal(2);
  });

  it("follows what a service logs, without its secrets", async function () {
    needsSandbox.call(this);
    const secret = "a-secret-that-nobody-may-read-1234";
    const plugin = toolPlugin(project.folder, "tool-talk", "", { code: talking });
    project.settings({
      plugins: ["@pergola/bundle-standard", plugin],
      "auth.token": { env: "TALK" },
    });
    await approvePlugins(project.data, plugin);
    const environment = { TALK: secret };
    const service = project.begin(["start", "--port", String(await freePort())], { environment });
    await service.wrote("stop with Ctrl-C");
    const following = project.begin(["logs", "--follow", "--plugin", "tool-talk"], { environment });
    await project.run(["tools", "call", "tool_talk.go", `key=${secret}`, "--yes"], { environment });
    await following.wrote("tool-talk: It talks");
    expect(following.stdout).to.include("key=[redacted]").and.not.include(secret);
    await following.end();
    await service.end();
    const [, newest] = logFiles(project.data);
    expect(readFileSync(newest, "utf8")).to.include('"msg":"serving"').and.not.include(secret);
    expect(statSync(newest).mode & 0o077).to.equal(0);
  });

  it("keeps two files of bounded size, and fails for nobody", () => {
    const data = temporaryFolder();
    const [older, newest] = logFiles(data);
    const file = new LogFile(data);
    const text = line("x".repeat(1_048_576));
    for (let count = 0; count < 11; count += 1) file.write(text);
    expect([older, newest].map((each) => statSync(each).size)).to.deep.equal([5 * text.length, text.length]);
    writeFileSync(path.join(data, "logs-are-no-folder"), "");
    new LogFile(path.join(data, "logs-are-no-folder")).write(text);
    expect(existsSync(path.join(data, "logs-are-no-folder", "logs"))).to.equal(false);
  });
});

const talking = `export default { tools: [{
  name: "tool_talk", description: "d",
  operations: [{
    name: "go", description: "g", effect: "none", parameters: { key: { type: "string", description: "k" } },
    required: [], async run(args, context) {
      context.log.info({ key: args.key }, "It talks");
      return { data: 1 };
    },
  }],
}] };`;
