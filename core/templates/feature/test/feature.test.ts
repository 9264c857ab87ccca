import path from "node:path";
import { expect } from "chai";
import { describeFeature, memoryCollection, startTestHost } from "@pergola/sdk/testing";
import { Notes, type Note } from "../notes.ts";
import { routesOf } from "../routes.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

describe("the notes", () => {
  it("are listed with the newest first, as many as asked", async () => {
    let time = 0;
    const notes = new Notes();
    notes.open(memoryCollection<Note>(), { now: () => (time += 1000) });
    for (const text of ["first", "second", "third"]) await notes.add(text);
    expect((await notes.list(2)).map(({ text }) => text)).to.deep.equal(["third", "second"]);
  });
});

describe("pergola-feature-sample-name in a host", function () {
  this.timeout(30_000);

  it("keeps notes across a restart", async () => {
    const host = await startTestHost({ plugins: ["@pergola/bundle-standard", plugin] });
    const { status, body: made } = await host.json<Note>("POST", "/api/sample-name", { text: "Tea" });
    await host.restart();
    const { body } = await host.json<{ readonly notes: readonly Note[] }>("GET", "/api/sample-name");
    await host.stop();
    expect([status, body.notes]).to.deep.equal([201, [made]]);
  });
});

describeFeature({
  id: "pergola-feature-sample-name",
  plugin,
  routes: routesOf(new Notes()).routes,
  requests: [
    { route: "POST /api/sample-name", body: { text: "Tea" } },
    { route: "GET /api/sample-name", query: { limit: "1" } },
  ],
});
