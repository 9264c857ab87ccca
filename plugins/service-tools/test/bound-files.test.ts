import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { boundFiles } from "../bound-files.ts";
import type { Checked } from "../check-call.ts";

describe("the files that an approval is bound to (S11)", () => {
  const folder = temporaryFolder();
  const script = path.join(folder, "d.sh");
  const running = (command: string, more: object = {}) =>
    boundFiles({
      effect: "execute",
      arguments: { command, ...more },
      realDirectory: folder,
      paths: [],
      entry: { plugin: { package: "@pergola/tool-terminal-operations" } },
    } as unknown as Checked);
  beforeEach(() => writeFileSync(script, "echo shown"));

  for (const command of ["./d.sh", "./d.sh --all", "A=1 B=2 ./d.sh", '"./d.sh" x', script])
    it(`S11: the program of \`${command.replace(folder, "<wd>")}\` is one`, async () => {
      const before = await running(command);
      expect(before).to.have.length(1);
      expect(await running(command)).to.deep.equal(before);
      writeFileSync(script, "echo other");
      expect(await running(command)).to.not.deep.equal(before);
    });

  it("a program that the system finds is none, and one that is missing may not appear", async () => {
    expect(await running("ls -l")).to.deep.equal([]);
    const missing = await running("./later.sh");
    writeFileSync(path.join(folder, "later.sh"), "echo");
    expect(await running("./later.sh")).to.not.deep.equal(missing);
  });
});
