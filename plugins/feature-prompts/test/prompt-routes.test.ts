import { expect } from "chai";
import type { EndpointAnswer, Services } from "@pergola/sdk";
import type { MiniPrompt, SystemPrompt } from "@pergola/sdk/host";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { routes as miniPrompts } from "../mini-prompt-routes.ts";
import { listSystemPrompts, routes as systemPrompts } from "../system-prompt-routes.ts";

const [prompts] = plugin.endpoints ?? [];
const routes = prompts?.routes ?? [];
const bodyOf = (answer: EndpointAnswer) => ("body" in answer ? answer.body : undefined);
const times = { createdAt: "2026-01-01T00:00:00.000Z", modifiedAt: "2026-01-01T00:00:00.000Z" };
const poet: SystemPrompt = {
  ...times,
  id: "s1",
  name: "Poet",
  description: "",
  content: "Rhyme.",
  builtIn: false,
};
const mini: MiniPrompt = {
  ...times,
  id: "m1",
  name: "Brief",
  content: "Be brief.",
  displayOrder: 0,
  builtIn: false,
};

describe("feature-prompts, its routes", () => {
  it("serves its routes in the groups prompts and personalities", () => {
    expect(plugin.endpoints?.map(({ group }) => group)).to.deep.equal(["prompts", "personalities"]);
  });

  it("serves every route of the mini prompts under their older paths too", () => {
    for (const { path, aliases } of routes.filter((route) => route.path.startsWith("/api/prompts/mini")))
      expect(aliases).to.deep.equal(
        ["mini-prompts", "custom-instructions"].map((older) => path.replace("prompts/mini", older)),
      );
  });

  it("tells of the prompt that the preference names, by whatever name, that it is the default", async () => {
    const list = async (found: SystemPrompt | undefined) => {
      const system = { list: async () => ({ items: [poet], count: 1 }), find: async () => found };
      const services = fakeServices({
        prompts: { system } as never,
        preferences: { get: () => "poet" as never },
      });
      return bodyOf(await listSystemPrompts.handle(endpointRequest(), services));
    };
    const told = { id: "s1", name: "Poet", description: "", builtIn: false };
    expect(await list(poet)).to.deep.equal({ prompts: [{ ...told, isDefault: true }], count: 1 });
    expect(await list(undefined)).to.deep.equal({ prompts: [{ ...told, isDefault: false }], count: 1 });
  });

  it("hands on the fields of a prompt, and no others", async () => {
    const given: unknown[] = [];
    const system = { update: async (...all: unknown[]) => given.push(...all) };
    const made = { create: async (...all: unknown[]) => (given.push(...all), mini) };
    const services = fakeServices({ prompts: { system, mini: made } as never });
    const body = { name: "n", content: "c", id: "x", builtIn: true, createdAt: "never" };
    await systemPrompts.update.handle(endpointRequest({ params: { promptId: "s1" }, body }), services);
    const answer = await miniPrompts.create.handle(
      endpointRequest({ body: { ...body, displayOrder: 3 } }),
      services,
    );
    expect(given).to.deep.equal([
      "s1",
      { name: "n", content: "c" },
      { name: "n", content: "c", displayOrder: 3 },
    ]);
    const { builtIn: _builtIn, ...shown } = mini;
    expect(answer).to.deep.equal({ status: 201, body: shown });
  });

  for (const route of routes)
    it(`where nothing keeps prompts, ${route.method} ${route.path} is no route`, async () => {
      const handle = async () =>
        route.handle(endpointRequest(), { prompts: undefined } as unknown as Services);
      expect(await handle().catch((error: unknown) => error)).to.have.property("code", "route_not_found");
    });
});
