import path from "node:path";
import { expect } from "chai";
import { startTestHost } from "@pergola/sdk/testing";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

describe("pergola-storage-journal in a host", function () {
  this.timeout(30_000);

  it("keeps conversations across a restart", async () => {
    const plugins = ["@pergola/bundle-standard", plugin];
    const host = await startTestHost({ plugins, settings: { storage: { type: "journal" } } });
    const { body: made } = await host.json<{ id: string }>("POST", "/v1/conversations", {});
    await host.restart();
    const { status, body } = await host.json<{ id: string }>("GET", `/v1/conversations/${made.id}`);
    expect([status, body.id]).to.deep.equal([200, made.id]);
    await host.stop();
  });
});
