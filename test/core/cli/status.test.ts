import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const asking = chatReply({
  toolCalls: [
    {
      name: "file_operations",
      arguments: { operation: "write_file", filePath: "/tmp/pergola-status.txt", content: "x" },
    },
  ],
});

describe("pergola status", function () {
  this.timeout(60_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  const serve = async (): Promise<number> => {
    const port = await freePort();
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
    return port;
  };

  it("starts nothing where no service runs, and says how to start one", async () => {
    const { code, stdout, stderr } = await project.run(["status"]);
    expect([code, stdout]).to.deep.equal([3, ""]);
    expect(stderr).to.include("pergola start");
  });

  it("shows where the service runs, its model, and that nothing waits", async () => {
    const port = await serve();
    const { code, stdout, stderr } = await project.run(["status"]);
    expect([code, stderr]).to.deep.equal([0, ""]);
    expect(stdout).to.include(`service  http://127.0.0.1:${port}\n`).and.include("health   ok\n");
    expect(stdout).to.include("model    custom/test\n").and.include("runs     none open\n");
    expect(stdout)
      .to.include("waiting  0 questions for you\n")
      .and.match(/^plugins {2}\d+ running$/m);
  });

  it("counts the runs that wait and their questions, and tells how to answer", async () => {
    await serve();
    project.model.play([asking, chatReply({ text: "Done." })]);
    const program = project.begin(["run", "Write outside", "--wait", "60"]);
    await program.wrote("pergola approvals");
    const { stdout, stderr } = await project.run(["status"]);
    expect(stdout).to.include("runs     1 waiting\n").and.include("waiting  1 question for you\n");
    expect(stderr).to.equal("To see what waits for you: pergola approvals list\n");
    const { stdout: json } = await project.run(["status", "--json"]);
    const { runs, approvals, health, pid } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    expect(runs).to.deep.equal({ running: 0, waiting: 1, queued: 0, interrupted: 0 });
    expect([approvals, typeof pid]).to.deep.equal([1, "number"]);
    expect(health).to.include({ status: "ok" });
    await program.end("SIGKILL");
  });
});
