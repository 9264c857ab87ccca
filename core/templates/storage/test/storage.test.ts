import path from "node:path";
import { expect } from "chai";
import { describeStorage, startTestHost, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { storage } from "../index.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

const { log } = toolContext();
const openIn = (dataDirectory: string) => storage.open({}, { dataDirectory, log });

describeStorage("sample-name", () => openIn(temporaryFolder()), {
  lasting: () => {
    const folder = temporaryFolder();
    return () => openIn(folder);
  },
  plugin: { folder: plugin.use },
});

describe("pergola-storage-sample-name in a host", function () {
  this.timeout(30_000);

  it("keeps conversations across a restart", async () => {
    const plugins = ["@pergola/bundle-standard", plugin];
    const host = await startTestHost({ plugins, settings: { storage: { type: "sample-name" } } });
    const { body: made } = await host.json<{ id: string }>("POST", "/v1/conversations", {});
    await host.restart();
    const { status, body } = await host.json<{ id: string }>("GET", `/v1/conversations/${made.id}`);
    await host.stop();
    expect([status, body.id]).to.deep.equal([200, made.id]);
  });
});
