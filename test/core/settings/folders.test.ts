import { chmodSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openDataDirectory } from "../../../core/settings/folders.ts";

describe("the data directory", () => {
  const modeOf = (folder: string): number => statSync(folder).mode & 0o777;

  it("is the folder named, else PERGOLA_DATA, else the platform's own", () => {
    const home = temporaryFolder();
    const environment = { PERGOLA_DATA: path.join(home, "variable"), XDG_DATA_HOME: path.join(home, "xdg") };
    expect(openDataDirectory("named", { home, environment, cwd: home })).to.equal(path.join(home, "named"));
    expect(openDataDirectory(undefined, { home, environment })).to.equal(path.join(home, "variable"));
    const own =
      process.platform === "darwin"
        ? path.join(home, "Library", "Application Support", "Pergola")
        : path.join(home, "xdg", "pergola");
    expect(
      openDataDirectory(undefined, { home, environment: { ...environment, PERGOLA_DATA: undefined } }),
    ).to.equal(own);
  });

  it("belongs to its user alone, also when it was there before", () => {
    const home = temporaryFolder();
    mkdirSync(path.join(home, "data"));
    chmodSync(path.join(home, "data"), 0o755);
    expect(modeOf(openDataDirectory("data", { cwd: home, environment: {} }))).to.equal(0o700);
    expect(modeOf(openDataDirectory("new/data", { cwd: home, environment: {} }))).to.equal(0o700);
  });
});
