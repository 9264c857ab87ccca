import path from "node:path";
import { expect } from "chai";
import { describeEndpoint, endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { routes } from "../routes.ts";

describe("the handler of POST /api/sample-name", () => {
  it("counts the words that are long enough", async () => {
    const [countWords] = routes.routes;
    const request = endpointRequest({ body: { text: "a bee sees a tree", minimumLength: 3 } });
    expect(await countWords?.handle(request, fakeServices({}))).to.deep.equal({ body: { count: 3 } });
  });
});

describeEndpoint({
  id: "pergola-endpoint-sample-name",
  // As a host finds it: by its folder, built.
  plugin: { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" },
  routes: routes.routes,
  requests: [{ route: "POST /api/sample-name", body: { text: "one two three" } }],
});
