import { expect } from "chai";
import type { EndpointAnswer, Services } from "@pergola/sdk";
import type { Personality } from "@pergola/sdk/host";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { listPersonalities, readFields, routes as personalities } from "../personality-routes.ts";

const routes = plugin.endpoints?.find(({ group }) => group === "personalities")?.routes ?? [];
const bodyOf = (answer: EndpointAnswer) => ("body" in answer ? answer.body : undefined);
const sage: Personality = {
  id: "p1",
  name: "Sage",
  description: "",
  category: "Custom",
  instructions: "Be wise.",
  traits: { tone: "dry" },
  builtIn: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  modifiedAt: "2026-01-01T00:00:00.000Z",
};
const listed = {
  id: "p1",
  name: "Sage",
  description: "",
  category: "Custom",
  isDefault: true,
  builtIn: false,
};

describe("feature-prompts, its routes of personalities", () => {
  it("lists without the texts, and shows one with its text and every trait", async () => {
    const library = {
      list: async () => ({ items: [sage], count: 1 }),
      find: async () => sage,
      create: async () => sage,
    };
    const services = fakeServices({
      prompts: { personalities: library } as never,
      preferences: { get: () => "sage" as never },
    });
    expect(bodyOf(await listPersonalities.handle(endpointRequest(), services))).to.deep.equal({
      personalities: [listed],
      count: 1,
    });
    const traits = { tone: "dry", formality: null, verbosity: null, humor: null, teachingStyle: null };
    const body = { ...listed, instructions: "Be wise.", traits };
    expect(await personalities.create.handle(endpointRequest({ body: {} }), services)).to.deep.equal({
      status: 201,
      body,
    });
  });

  it("takes the fields of a personality, and traits of which something is said", () => {
    const body: object = { name: "n", id: "x", builtIn: true };
    expect(readFields(body)).to.deep.equal({ name: "n" });
    const traits = { tone: "dry", humor: "", formality: null, colour: "red" };
    expect(readFields({ traits })).to.deep.equal({
      traits: { tone: "dry" },
    });
  });

  for (const route of routes)
    it(`where nothing keeps personalities, ${route.method} ${route.path} is no route`, async () => {
      const handle = async () =>
        route.handle(endpointRequest(), { prompts: undefined } as unknown as Services);
      expect(await handle().catch((error: unknown) => error)).to.have.property("code", "route_not_found");
    });
});
