import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

/** What docs/schedules.md shows. */
describe("pergola schedules", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
    project.settings({ "memory.embedding_model": "" });
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());

  const schedules = (...words: readonly string[]) => project.run(["schedules", ...words]);
  const task = ["add", "write today's plan to plan.md"];
  const cost = ["--max-cost", "0.50"];

  it("makes, lists, shows, pauses, resumes and removes one by its name", async () => {
    const none = await schedules("list");
    expect([none.code, none.stdout]).to.deep.equal([0, ""]);
    expect(none.stderr).to.match(/schedules add --help/);
    const zone = ["--time-zone", "Europe/Vienna", "--tools", "think,file_operations"];
    const made = await schedules(...task, "--cron", "0 7 * * 1-5", ...cost, "--name", "plan", ...zone);
    expect(made.stderr).to.match(/^Made the schedule "plan" \(sch_[\da-f]{32}\)\. It starts next \d{4}-/);
    const { stdout } = await schedules("list");
    expect(stdout).to.match(/^sch_[\da-f]{32} plan 0 7 \* \* 1-5 Europe\/Vienna, next \d{4}-[^\n]+\n$/);
    const shown = JSON.parse((await schedules("show", "plan", "--json")).stdout) as object;
    expect(shown).to.deep.include({ maxCostUsd: 0.5, tools: ["think", "file_operations"], enabled: true });
    expect((await schedules("pause", "plan")).stderr).to.equal('"plan" starts no more.\n');
    expect((await schedules("list")).stdout).to.match(/, off\n$/);
    expect((await schedules("resume", "plan")).stderr).to.match(/^"plan" starts next /);
    expect((await schedules("remove", "plan")).stderr).to.match(/^Deleted the schedule "plan"/);
    expect((await schedules("list")).stdout).to.equal("");
  });

  it("names the flag that is wrong or missing, and a schedule that is not there", async () => {
    const wrong = async (...words: readonly string[]) => {
      const { code, stderr } = await schedules(...words);
      expect(code, stderr).to.be.above(0);
      return stderr;
    };
    expect(await wrong(...task, "--cron", "0 7 * * *")).to.match(/--max-cost/);
    expect(await wrong(...task, "--cron", "0 7 * * *", "--max-cost", "free")).to.match(/above 0/);
    expect(await wrong(...task, "--cron", "often", ...cost)).to.match(
      /^--cron: "often" cannot be read\. It takes five fields, such as "0 7 \* \* 1-5"/,
    );
    expect(await wrong(...task, "--at", "2020-01-01T00:00Z", ...cost)).to.match(/--at: .* is over/);
    expect(await wrong(...task, ...cost)).to.match(/cron.*or at/);
    expect(await wrong("show", "nothing")).to.match(/There is no schedule "nothing"\. .*schedules list/);
  });
});
