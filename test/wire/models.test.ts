import Anthropic from "@anthropic-ai/sdk";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { mockProviderServer } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Entry {
  readonly id: string;
  readonly object: string;
  readonly owned_by: string;
  readonly context_window: number;
  readonly max_completion_tokens: number;
  readonly max_request_tokens: number;
  readonly is_local: boolean;
  readonly info_source: string;
}

interface List {
  readonly object: string;
  readonly data: readonly Entry[];
  readonly models: readonly object[];
  readonly count: number;
}

describe("models", () => {
  let stage: Stage;
  let second: Awaited<ReturnType<typeof mockProviderServer>>;

  before(async () => {
    second = await mockProviderServer([], {
      models: [{ id: "family/deep-1", context_length: 100_000 }, "plain"],
    });
    const providers: Json[] = [
      { type: "custom", base_url: second.baseUrl },
      { type: "custom", id: "broken", base_url: "http://127.0.0.1:9/v1" },
    ];
    stage = await openStage(undefined, {
      settings: { "providers.list": providers, default_model: "custom/plain" },
    });
  });

  after(async () => {
    await stage.end();
    await second.close();
  });

  verifies("models:list", "is read page by page by a client of the Messages format", async () => {
    const client = new Anthropic({ baseURL: stage.host.url, apiKey: "anything", maxRetries: 0 });
    const ids: string[] = [];
    for await (const { id } of client.models.list({ limit: 1 })) ids.push(id);
    expect(ids).to.have.lengthOf(2);
    expect(ids).to.deep.equal((await client.models.list()).data.map(({ id }) => id));
    const { status } = await stage.host.json("GET", "/v1/models?after_id=nobody");
    expect(status).to.equal(404);
  });

  verifies("models:list", "lists as many as are wanted, in the words of both formats (C18)", async () => {
    const { status, body } = await stage.host.json<List & { has_more: boolean }>("GET", "/v1/models?limit=1");
    expect([status, body.data.length, body.count, body.has_more]).to.deep.equal([200, 1, 2, true]);
    expect(body.data[0]).to.include({ type: "model", object: "model" });
    const names = (await stage.host.json<List>("GET", "/v1/models")).body.data;
    expect(names.map((entry) => (entry as unknown as { display_name: string }).display_name)).to.have.members(
      ["family/deep-1", "plain"],
    );
    expect((await stage.host.json("GET", "/v1/models?limit=0")).status).to.equal(400);
  });

  verifies(
    ["models:list", "C19"],
    "lists what the providers list, with facts; a provider that fails is left out",
    async () => {
      const { status, body } = await stage.host.json<List>("GET", "/api/models");
      const deep = body.data.find(({ id }) => id === "custom/family/deep-1");
      expect([status, body.object, body.count, body.models]).to.deep.equal([200, "list", 2, []]);
      expect(deep).to.deep.include({
        object: "model",
        context_window: 100_000,
        is_local: true,
        info_source: "provider",
      });
      expect(deep?.max_request_tokens).to.equal(100_000 - (deep?.max_completion_tokens ?? 0));
      expect(body.data.find(({ id }) => id === "custom/plain")?.info_source).to.equal("guess");
      expect(
        (await stage.host.services.models.providers()).find(({ id }) => id === "broken"),
      ).to.deep.include({
        status: "error",
        modelCount: 0,
      });
    },
  );

  verifies(
    ["models:get", "C17", "C18"],
    "one is found by its id, plain or encoded, with or without prefix",
    async () => {
      for (const path of ["custom/family/deep-1", "custom%2Ffamily%2Fdeep-1", "family/deep-1"]) {
        const { status, body } = await stage.host.json<Entry>("GET", `/v1/models/${path}`);
        expect([path, status, body.id]).to.deep.equal([path, 200, "custom/family/deep-1"]);
      }
      const { status, body } = await stage.host.json<{ readonly error: { readonly code: string } }>(
        "GET",
        "/api/models/nobody/none/such",
      );
      expect([status, body.error.code]).to.deep.equal([404, "model_not_found"]);
    },
  );
});
