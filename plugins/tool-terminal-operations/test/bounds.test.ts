import { expect } from "chai";
import { Sessions } from "../sessions/sessions.ts";
import { lastCommandOf, rememberCommand } from "../sessions/last-command.ts";

const command = (text: string) => ({ command: text, working_directory: "/", exitCode: 0 });

describe("the last commands of scopes", () => {
  it("are forgotten above a thousand scopes, first that of the scope which ran nothing for longest", () => {
    const scopes = Array.from({ length: 1000 }, (_, number) => `scope-${number}`);
    for (const scope of scopes) rememberCommand(scope, command("ls"));
    expect(lastCommandOf("scope-0")?.command).to.equal("ls");
    rememberCommand("scope-0", command("pwd"));
    expect(lastCommandOf("scope-1"), "nothing goes at the bound").to.not.equal(undefined);
    rememberCommand("one more", command("ls"));
    expect(lastCommandOf("scope-1")).to.equal(undefined);
    expect(lastCommandOf("scope-0")?.command).to.equal("pwd");
    expect(lastCommandOf("scope-2")).to.not.equal(undefined);
    expect(lastCommandOf("one more")).to.not.equal(undefined);
  });
});

describe("ended sessions of a scope", () => {
  it("are forgotten above sixteen, the oldest first, and no other scope's", async () => {
    const sessions = new Sessions();
    sessions.start();
    const open = async (scope: string): Promise<string> => {
      const caller = {
        scope,
        clock: { now: () => 0 },
        settings: { "tools.terminal.session_idle_minutes": 30 },
      } as never;
      const facts = { name: "", folder: "/", command: "true" };
      const ended = Promise.resolve(0);
      const start = async () => ({ pid: 2 ** 30, hasTerminal: false, ended, write: () => undefined });
      const { facts: made } = await sessions.open(caller, facts, start);
      await ended;
      return made.id;
    };
    const isKnown = (scope: string, id: string): Promise<boolean> =>
      sessions
        .find(
          {
            scope,
            clock: { now: () => 0 },
            settings: { "tools.terminal.session_idle_minutes": 30 },
          },
          id,
        )
        .then(
          () => true,
          () => false,
        );
    const other = await open("other");
    const ids: string[] = [];
    for (let count = 0; count < 16; count++) ids.push(await open("own"));
    const [first = "", second = ""] = ids;
    expect(await isKnown("own", first), "sixteen are remembered").to.equal(true);
    await open("own");
    expect([await isKnown("own", first), await isKnown("own", second)]).to.deep.equal([false, true]);
    expect(await isKnown("other", other)).to.equal(true);
  });
});
