import { expect } from "chai";
import { fakeServices, endpointRequest } from "@pergola/sdk/testing";
import plugin from "../index.ts";

const routes = (plugin.endpoints ?? []).flatMap((group) => group.routes);

describe("feature-topics, its routes", () => {
  it("serves its routes in the group topics", () => {
    expect(plugin.endpoints?.map(({ group }) => group)).to.deep.equal(["topics"]);
  });

  it("answers that there is no such route where no plugin keeps topics", async () => {
    const services = {
      ...fakeServices({ conversations: { get: async () => ({ id: "c" }) as never } }),
      topics: undefined,
    };
    for (const { method, path, handle } of routes) {
      const answered = await Promise.resolve()
        .then(() =>
          handle(
            endpointRequest({
              params: { topicId: "x", conversationId: "c" },
              body: { name: "x", topicId: "x" },
            }),
            services,
          ),
        )
        .catch((error: unknown) => error);
      expect(answered, `${method} ${path}`).to.include({ code: "route_not_found" });
    }
  });
});
