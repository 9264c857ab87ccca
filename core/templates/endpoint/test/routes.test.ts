import path from "node:path";
import { expect } from "chai";
import { endpointRequest, fakeServices, startTestHost, type TestHost } from "@pergola/sdk/testing";
import { routes } from "../routes.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

describe("the handler of POST /api/sample-name", () => {
  it("counts the words that are long enough", async () => {
    const [countWords] = routes.routes;
    const request = endpointRequest({ body: { text: "a bee sees a tree", minimumLength: 3 } });
    expect(await countWords?.handle(request, fakeServices({}))).to.deep.equal({ body: { count: 3 } });
  });
});

describe("pergola-endpoint-sample-name in a host", function () {
  this.timeout(30_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost({ plugins: ["@pergola/bundle-standard", plugin] });
  });
  after(() => host.stop());

  it("answers", async () => {
    const { status, body } = await host.json("POST", "/api/sample-name", { text: "one two three" });
    expect([status, body]).to.deep.equal([200, { count: 3 }]);
  });

  it("refuses what the schema does not allow", async () => {
    const { status, body } = await host.json<{ error: { param: string } }>("POST", "/api/sample-name", {});
    expect([status, body.error.param]).to.deep.equal([400, "text"]);
  });

  it("is in the API's description", async () => {
    const { body } = await host.json<{ paths: object }>("GET", "/openapi.json");
    expect(body.paths).to.include.keys("/api/sample-name");
  });
});
