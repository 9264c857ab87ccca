import { existsSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { closeToOthers } from "../worker/close-to-others.ts";

describe("the files of a store", () => {
  const modeOf = (file: string): number => statSync(file).mode & 0o777;

  it("are made for their user alone", () => {
    const file = path.join(temporaryFolder(), "new.db");
    closeToOthers(file);
    expect([modeOf(file), statSync(file).size, existsSync(`${file}-wal`)]).to.deep.equal([0o600, 0, false]);
  });

  it("become their user's alone when they were not", () => {
    const file = path.join(temporaryFolder(), "old.db");
    const files = [file, `${file}-wal`, `${file}-shm`];
    for (const each of files) writeFileSync(each, "content", { mode: 0o644 });
    closeToOthers(file);
    expect(files.map((each) => [modeOf(each), statSync(each).size])).to.deep.equal(
      files.map(() => [0o600, 7]),
    );
  });
});
