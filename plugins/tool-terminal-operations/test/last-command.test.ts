import { expect } from "chai";
import { sessions } from "../sessions/sessions.ts";
import { bench, until } from "./context.ts";

describe("the last command in the background", () => {
  before(() => sessions.start());
  after(() => sessions.stop());

  const command = "sleep 1; exit 3";

  it("has its exit code once it has ended, also when that is after its answer", async () => {
    const { run, tell } = bench();
    await run("run_command", { command, isBackground: true });
    expect((await tell("get_last_command")).exitCode, "while it runs").to.equal(null);
    await until("the exit code is known", async () => (await tell("get_last_command")).exitCode === 3);
  });

  it("changes nothing of a command that was run after it", async () => {
    const { context, run, tell } = bench();
    await run("run_command", { command, isBackground: true });
    const session = await sessions.newest(context);
    await run("run_command", { command: "exit 5" });
    expect(await session?.ended).to.equal(3);
    expect((await tell("get_last_command")).exitCode).to.equal(5);
  });
});
