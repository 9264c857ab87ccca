import { expect } from "chai";
import { toolContext } from "@pergola/sdk/testing";
import { collect, namesOf, sample, started, stopAll, type Collected } from "./collect.ts";

describe("resources and prompts of an MCP server", () => {
  let host: Collected;
  const library = (more: object = {}) => collect({ library: { ...started("library-server.mjs"), ...more } });
  before(async () => {
    host = await library();
  });
  after(stopAll);
  const run = (name: string, args: object = {}, context = toolContext()) =>
    host.run("mcp_library", name, { ...args }, context);

  it("are operations of its family, asked about as its tools are", async () => {
    expect(namesOf(host, "mcp_library")).to.deep.equal([
      "noop",
      "list_resources",
      "read_resource",
      "list_prompts",
      "get_prompt",
    ]);
    expect(host.operation("mcp_library", "read_resource")).to.include({
      effect: "execute",
      place: "external",
    });
    const trusting = await library({ effects: { read_resource: "read" }, tools: ["noop", "read_resource"] });
    expect(namesOf(trusting, "mcp_library")).to.deep.equal(["noop", "read_resource"]);
    expect(trusting.operation("mcp_library", "read_resource").effect).to.equal("read");
  });

  it("are not there for a server without any", async () => {
    const { operations = [] } = (await collect({ sample: sample() })).tools.get("mcp_sample") ?? {};
    expect(operations.map(({ name }) => name)).not.to.include.members(["list_resources"]);
    expect(operations.map(({ name }) => name)).not.to.include.members(["list_prompts"]);
  });

  it("are listed, templates too, and read", async () => {
    const lines = ((await run("list_resources")).data as string)
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(lines.map(({ uri, uriTemplate }) => uri ?? uriTemplate)).to.deep.equal([
      "doc://manual",
      "doc://logo",
      "doc://pages/{number}",
    ]);
    expect((await run("read_resource", { uri: "doc://manual" })).data).to.equal("doc://manual:\nTurn it on.");
    expect((await run("read_resource", { uri: "doc://pages/7" })).data).to.include("Page 7\\u{202e}");
  });

  it("have pictures saved, and shown to models that can see", async () => {
    const context = toolContext();
    const { data, images } = await run("read_resource", { uri: "doc://logo" }, context);
    expect(data).to.match(/^\[image\/png, 6 bytes, saved as mcp\//);
    expect(images).to.deep.equal([`data:image/png;base64,${Buffer.from("pixels").toString("base64")}`]);
  });

  it("fail in words that help where an address, a prompt or its arguments are wrong", async () => {
    const wrong = [
      ["read_resource", { uri: "doc://nothing" }],
      ["get_prompt", { prompt: "nothing" }],
      ["get_prompt", { prompt: "triage" }],
    ] as const;
    for (const [name, args] of wrong)
      expect((await host.failure("mcp_library", name, args)).code, JSON.stringify(args)).to.equal(
        "invalid_value",
      );
    expect((await run("read_resource", { uri: "doc://manual" })).data).to.include("Turn it on.");
  });

  it("give a prompt filled in, with who speaks", async () => {
    expect((await run("list_prompts")).data).to.include('"arguments":[{"name":"issue","required":true}]');
    const { data } = await run("get_prompt", { prompt: "triage", values: { issue: "42" } });
    expect(data).to.equal("user:\nSort the issue 42.");
  });
});
