import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { describeBundle, startTestHost } from "@pergola/sdk/testing";

/** The plugin as a host finds it: by its folder, built. */
const plugin = path.resolve(import.meta.dirname, "..");

const read = (file: string) =>
  JSON.parse(readFileSync(path.join(plugin, file), "utf8")) as {
    readonly includes?: readonly string[];
    readonly dependencies?: object;
  };

describe("pergola-bundle-sample-name", function () {
  this.timeout(30_000);
  const { includes = [] } = read("plugin.json");

  it("brings the packages that it includes", () => {
    expect(Object.keys(read("package.json").dependencies ?? {})).to.have.members([...includes]);
  });

  it("gives a host all of them", async () => {
    const host = await startTestHost({ plugins: ["@pergola/storage-sqlite", plugin] });
    const running = host.services.system.plugins().filter(({ state }) => state === "running");
    await host.stop();
    const ids = includes.map((name) => name.replace("@pergola/", ""));
    expect(running.map(({ id }) => id)).to.include.members(ids);
  });
});

describeBundle({ id: "pergola-bundle-sample-name", plugin });
