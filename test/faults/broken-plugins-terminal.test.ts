import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { approveReadable } from "../support/approve-plugins.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";
import { entryOf, failingPolicy, misbehaving, throwing } from "../support/plugins/broken.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

describe("broken plugins at the command line", function () {
  this.timeout(30_000);
  let project: Project;
  before(async function () {
    needsSandbox.call(this);
    project = await openProject(chatReply({ text: "Hello." }));
    const late = { ...misbehaving("tool-inside", "inside"), isolation: "trusted" };
    const plugins = [...throwing, late, failingPolicy].map((each) => entryOf(project.folder, each));
    project.settings({ plugins: ["@pergola/bundle-standard", ...plugins] });
    await approveReadable(
      project.data,
      plugins.map(({ use }) => use),
    );
  });
  after(() => (project as Project | undefined)?.close());

  it("`pergola doctor` names each with step and remedy", async () => {
    const { code, stdout } = await project.run(["doctor"]);
    expect(code).to.equal(1);
    for (const { id, said } of throwing) expect(stdout).to.include(`✗ ${id}: ${said}`);
  });

  it("`pergola start` names each, serves, and outlives what a trusted plugin throws where nobody catches", async () => {
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    for (const { id } of throwing) expect(service.stdout).to.include(`left out    ${id}: `);
    expect(await project.run(["tools", "call", "inside.go", "how=late", "--yes"])).to.include({ code: 0 });
    await service.wrote("too late");
    await service.wrote("unwatched");
    expect(await project.run(["chat"], { input: "Hi\n" })).to.include({ code: 0, stdout: "Hello.\n" });
    const { stdout } = await project.run(["doctor"]);
    expect(stdout).to.include("✗ policy-failing, in the service: policy-failing, toolCallEnded: no notice");
    expect(await service.end()).to.equal(0);
  });
});
