import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { read, root } from "../architecture/tree.ts";
import { stepsOf, walks } from "./walks.ts";

const commandsOf = (walk: (typeof walks)[number]): readonly string[] =>
  stepsOf(walk).flatMap((step) => ("command" in step ? [step.command] : []));

/** `npm run newcomer` types what these pages say; here is only whether they say it. */
describe("the paths of a newcomer", () => {
  for (const walk of walks)
    it(`${walk.page}, "${walk.section}": says what to type, up to an answer`, () => {
      const commands = commandsOf(walk);
      expect(commands).to.have.length.above(1);
      for (const command of commands) expect(read(walk.page)).to.include(command);
      expect(commands.at(-1)).to.match(/^(pergola run|curl) /);
    });

  it("begin with a clone and the two commands of the README", () => {
    const [clone, , start] = commandsOf(walks[0]!);
    expect(clone).to.equal("git clone <address> pergola");
    expect(start).to.equal("npm ci && npm start");
    expect(read("README.md")).to.include(start);
  });

  it("show a file for the folder that it is saved in, and pack an example that there is", () => {
    const files = walks.flatMap((walk) => stepsOf(walk).map((step) => ({ walk, step })));
    const saved = files.flatMap(({ walk, step }) => ("file" in step ? [`~/${walk.files}/${step.file}`] : []));
    expect(saved).to.deep.equal(["~/.config/pergola/tools/roll_dice.ts"]);
    const packs = walks.flatMap(commandsOf).flatMap((line) => /^npm pack (.+)/.exec(line)?.[1] ?? []);
    expect(packs.filter((folder) => !existsSync(path.join(root, folder, "package.json")))).to.deep.equal([]);
    expect(packs).to.have.length(1);
  });

  it("have their figures in the documentation, within their goals", () => {
    const [, table = ""] = /<!-- figures -->([^]*)<!-- end of figures -->/.exec(read(walks[0]!.page)) ?? [];
    for (const { what, goal } of walks) {
      const row = table.split("\n").find((line) => line.includes(`| ${what} |`));
      const [, seconds = "none"] = /\| ([\d.]+) s \|/.exec(row ?? "") ?? [];
      expect(Number(seconds), what).to.be.at.most(goal ?? Infinity);
    }
  });
});
