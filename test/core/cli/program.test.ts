import type { Command } from "commander";
import { expect } from "chai";
import { pluginKinds } from "../../../core/cli/plugin-new.ts";
import { commands, makeProgram } from "../../../core/cli/program.ts";

/** What the command line prints. */
async function printed(...words: readonly string[]): Promise<string> {
  const program = makeProgram("0");
  let text = "";
  const take = (piece: string): void => void (text += piece);
  const listen = (command: Command): void => {
    command.configureOutput({ writeOut: take, writeErr: take });
    command.commands.forEach(listen);
  };
  listen(program);
  await program.parseAsync(words, { from: "user" }).catch(() => undefined);
  return text;
}

describe("the command line", () => {
  for (const [words, command] of [
    [["statu"], "pergola"],
    [["status", "--jso"], "pergola status"],
    [["runs", "sho"], "pergola runs"],
    [["runs", "show"], "pergola runs show"],
    [["logs", "-n", "0"], "pergola logs"],
  ] as const)
    it(`points from "${words.join(" ")}" to the help of ${command}`, async () => {
      expect(await printed(...words)).to.include(`(Run ${command} --help to see how it is used.)`);
    });

  it("defines a command that is asked for as it does among all", () => {
    const namesOf = (program: Command): readonly string[] => program.commands.map((one) => one.name());
    const all = makeProgram("0");
    expect(namesOf(all)).to.have.members(Object.keys(commands));
    for (const name of Object.keys(commands)) {
      const alone = makeProgram("0", name).commands.find((one) => one.name() === name);
      const among = all.commands.find((one) => one.name() === name);
      expect(alone?.helpInformation()).to.equal(among?.helpInformation());
    }
    expect(namesOf(makeProgram("0", "statu"))).to.deep.equal(namesOf(all));
  });

  it("names every kind of plugin that can be made", async () => {
    expect(await printed("plugins", "new", "--help")).to.include(`Kinds: ${pluginKinds.join(", ")}.`);
  });
});
