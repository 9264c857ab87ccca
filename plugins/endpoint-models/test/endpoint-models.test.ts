import { expect } from "chai";
import { AppError, type EndpointAnswer, type ModelEntry } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { deleteModel, getModel, listModels } from "../routes.ts";

const hosted: ModelEntry = {
  modelId: "custom/vendor/large",
  name: "vendor/large",
  kind: "chat",
  created: 1_700_000_000,
  vendor: "Vendor",
  providerId: "custom",
  providerType: "custom",
  providerName: "Mine",
  isLocal: false,
  baseUrl: "https://models.example",
  contextWindow: 100_000,
  maxOutputTokens: 4096,
  supportsTools: true,
  supportsVision: false,
  family: "large",
  source: "provider",
};

const installed: ModelEntry = {
  ...hosted,
  modelId: "llama/tiny",
  name: "tiny",
  providerId: "llama",
  providerType: "local-llama",
  isLocal: true,
  file: { path: "/models/tiny.gguf", sizeBytes: 42, quantization: "Q4_K_M" },
};

const wireHosted = {
  id: "custom/vendor/large",
  object: "model",
  type: "model",
  display_name: "vendor/large",
  created: 1_700_000_000,
  owned_by: "Vendor",
  context_window: 100_000,
  max_completion_tokens: 4096,
  max_request_tokens: 95_904,
  vendor: "Vendor",
  provider_type: "custom",
  model_picker_category: "chat",
  is_local: false,
  supports_tools: true,
  supports_vision: false,
  info_source: "provider",
};

const wireInstalled = {
  id: "llama/tiny",
  name: "tiny",
  provider: "llama",
  sizeBytes: 42,
  quantization: "Q4_K_M",
};
const services = fakeServices({
  models: {
    list: async () => [hosted, installed],
    resolve: async (id) => {
      if (id !== "vendor/large") throw new AppError({ code: "model_not_found", message: "None." });
      return hosted;
    },
  },
});
const bodyOf = (answer: EndpointAnswer) =>
  "body" in answer ? (JSON.parse(JSON.stringify(answer.body)) as Record<string, unknown>) : {};

describe("GET /api/models", () => {
  it("lists all models, and the installed ones again with their files", async () => {
    const body = bodyOf(await listModels.handle(endpointRequest(), services));
    expect(body).to.deep.include({
      object: "list",
      count: 2,
      models: [{ ...wireInstalled, path: "/models/tiny.gguf" }],
    });
    expect((body["data"] as readonly object[])[0]).to.deep.equal(wireHosted);
    expect((body["data"] as readonly object[])[1]).to.deep.include({
      id: "llama/tiny",
      owned_by: "local",
      is_local: true,
    });
  });

  it("does not tell remote callers where a file lies", async () => {
    const remote = endpointRequest({
      caller: { ...endpointRequest().caller, kind: "token", remote: true, id: "token" },
    });
    expect(bodyOf(await listModels.handle(remote, services))["models"]).to.deep.equal([wireInstalled]);
  });

  it("C19: is an empty list, not a made-up one, when there is no model", async () => {
    const none = fakeServices({ models: { list: async () => [] } });
    expect(bodyOf(await listModels.handle(endpointRequest(), none))).to.deep.equal({
      object: "list",
      data: [],
      models: [],
      count: 0,
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  it("is read in pages, each behind the last model of the one before", async () => {
    const page = async (query: Readonly<Record<string, unknown>>) => {
      const { data, ...body } = bodyOf(await listModels.handle(endpointRequest({ query }), services));
      return [(data as readonly { id: string }[]).map(({ id }) => id), body["last_id"], body["has_more"]];
    };
    const [first, second] = [hosted.modelId, installed.modelId];
    expect(await page({ limit: 1 })).to.deep.equal([[first], first, true]);
    expect(await page({ limit: 1, afterId: first })).to.deep.equal([[second], second, false]);
    expect(await page({ afterId: second })).to.deep.equal([[], null, false]);
  });
});

describe("GET /api/models/{id…}", () => {
  it("C17, C18: shows a model by an id with slashes, without its prefix", async () => {
    const body = bodyOf(await getModel.handle(endpointRequest({ params: { id: "vendor/large" } }), services));
    expect(body).to.deep.equal(wireHosted);
  });

  it("passes model_not_found on", async () => {
    const error = await Promise.resolve(
      getModel.handle(endpointRequest({ params: { id: "x" } }), services),
    ).catch((cause: unknown) => cause);
    expect(error).to.have.property("code", "model_not_found");
  });

  for (const [id, isModel] of [
    ["download", false],
    ["download/123/status", false],
    ["downloader/x", true],
  ] as const) {
    it(`${isModel ? "takes" : "leaves to the downloads"} ${id}`, () => {
      for (const { params } of [getModel, deleteModel])
        expect(new RegExp(params!["id"]!.pattern!).test(id)).to.equal(isModel);
    });
  }
});

describe("endpoint-models", () => {
  it("serves each route under its alias, too", () => {
    const routes = (plugin.endpoints ?? []).flatMap((group) => group.routes);
    expect(routes.flatMap(({ aliases = [] }) => aliases)).to.deep.equal(["/v1/models", "/v1/models/{id…}"]);
  });
});
