import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { Ollama } from "ollama";
import { allChunks, temporaryFolder } from "@pergola/sdk/testing";
import { install } from "../../plugins/provider-local-llama/test/tiny-model.ts";
import { ask, officialPlugins, openStage, type Stage } from "../support/host.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { verifies } from "../support/verifies.ts";

const model = "llama/tests/tiny/tiny-F32";
const yesOrNo = {
  type: "json_schema",
  json_schema: {
    name: "answer",
    schema: { type: "object", properties: { yes: { type: "boolean" } }, required: ["yes"] },
  },
};

/**
 * A tool whose every call can be told ahead, so that a model that says random things calls it right when it
 * is held to its schema.
 */
const lamp = `
export default {
  tools: [{
    name: "lamp", description: "Switches the lamp.",
    operations: [{
      name: "set", description: "Sets its colour", effect: "write", recovery: "repeat",
      parameters: { color: { type: "string", enum: ["red", "green"] } }, required: ["color"],
      async run({ color }) { return { data: "the lamp is " + color }; },
    }],
  }],
};`;

interface ChatBody {
  readonly choices: readonly {
    readonly message: { readonly content: string };
    readonly finish_reason: string;
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly service_metadata: { readonly usage_source?: string; readonly provider: { readonly type: string } };
}
interface Models {
  readonly data: readonly {
    readonly id: string;
    readonly owned_by: string;
    readonly context_window: number;
    readonly info_source: string;
  }[];
  readonly models: readonly {
    readonly id: string;
    readonly sizeBytes: number;
    readonly quantization: string;
    readonly path: string;
  }[];
}
interface Metadata {
  readonly service_metadata: { readonly warnings: readonly string[] };
}
interface Failed {
  readonly error: { readonly code: string };
}

describe("an installed model", function () {
  this.timeout(60_000);
  let stage: Stage;
  let models: string;

  before(async () => {
    const dataDirectory = temporaryFolder();
    models = path.join(dataDirectory, "models");
    install(models, "tests/tiny/tiny-F32", { context: 16_384 });
    install(models, "tests/other/gone");
    const tool = writePlugin(temporaryFolder(), {
      id: "tool-lamp",
      provides: { tools: { lamp: ["set"] } },
      code: lamp,
    });
    stage = await openStage(undefined, {
      dataDirectory,
      plugins: [...officialPlugins(), { use: tool, isolation: "trusted" }],
      settings: { "local.context_size": 16_384, "authorization.auto_approve": ["lamp.set"] },
    });
  });
  after(() => stage.end());

  const remove = (id: string) =>
    stage.host.json<Failed & { readonly success?: boolean; readonly id?: string }>(
      "DELETE",
      `/api/models/${id}`,
    );

  verifies("models:local", "is listed without settings, and answers without network", async () => {
    const { body: list } = await stage.host.json<Models>("GET", "/api/models");
    const entry = list.data.find(({ id }) => id === model);
    expect(entry).to.include({ owned_by: "local", context_window: 16_384, info_source: "provider" });
    const file = list.models.find(({ id }) => id === model);
    expect(file).to.include({ quantization: "F32", path: path.join(models, "tests/tiny/tiny-F32.gguf") });
    expect((await stage.host.services.models.providers()).map(({ id }) => id)).to.include("llama");
    const more = { model, response_format: yesOrNo, service_config: { mcp_tools_enabled: false } };
    const { status, body } = await stage.host.json<ChatBody>(
      "POST",
      "/api/chat/completions",
      ask("Is it so?", more),
    );
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(JSON.parse(body.choices[0]?.message.content ?? "")).to.have.all.keys("yes");
    expect(body.service_metadata).to.include({ usage_source: "provider" });
    expect(body.service_metadata.provider.type).to.equal("local-llama");
    expect(body.usage.prompt_tokens).to.be.above(body.usage.completion_tokens);
  });

  verifies(
    "ollama:local",
    "is shown to clients of Ollama while it is in memory, and let go by them",
    async () => {
      const client = new Ollama({ host: stage.host.url });
      const running = async () => (await client.ps()).models;
      const unloaded = async (): Promise<void> => {
        while ((await running()).length > 0) await setTimeout(20);
      };
      const asked = { model, prompt: "Hello", options: { num_predict: 4, temperature: 0 } };
      await client.generate({ model, prompt: "", keep_alive: 0 });
      await unloaded();
      const small = await client.generate({ ...asked, options: { ...asked.options, num_ctx: 2048 } });
      expect((small as unknown as Metadata).service_metadata.warnings).to.deep.equal([]);
      const [shown, ...others] = await running();
      expect(others).to.deep.equal([]);
      expect(shown).to.include({ name: model, context_length: 2048, size_vram: 0 });
      expect(shown?.size).to.be.above(0);
      const left = Date.parse(String(shown?.expires_at)) - Date.now();
      expect(left).to.be.within(200_000, 300_000);
      await client.generate(asked);
      expect((await running())[0], "a larger context is another load").to.include({ context_length: 16_384 });
      await client.generate({ ...asked, options: { ...asked.options, num_ctx: 4096 } });
      expect((await running())[0], "a smaller one is not").to.include({ context_length: 16_384 });
      const { done_reason: reason } = await client.generate({ model, prompt: "", keep_alive: 0 });
      expect(reason).to.equal("unload");
      await unloaded();
      await client.generate({ ...asked, keep_alive: "0s" });
      await unloaded();
    },
  );

  verifies("ollama:local", "is given no more than the context that the client asks for", async () => {
    const client = new Ollama({ host: stage.host.url });
    const long = "A long story. ".repeat(1000);
    const asked = { model, prompt: long, options: { num_predict: 1 } };
    expect(await client.generate(asked)).to.include({ done: true });
    const small = { ...asked, options: { ...asked.options, num_ctx: 1024 } };
    const failure = await client.generate(small).catch((error: unknown) => error as Error);
    expect(failure).to.be.an("error").and.have.property("message").that.includes("1024");
  });

  it("M5: is removed even if no model can be made of it, and so is in no list", async () => {
    const file = path.join(models, "tests/broken/broken-Q4_0.gguf");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "<html>not a model</html>");
    const id = "llama/tests/broken/broken-Q4_0";
    expect(await remove(id)).to.deep.include({ status: 200, body: { success: true, id } });
    expect(existsSync(file)).to.equal(false);
    expect((await remove(id)).body.error.code).to.equal("model_not_found");
    expect((await remove("nobody/knows")).body.error.code).to.equal("model_not_found");
  });

  verifies("models:local", "calls a tool that it is held to, which runs, and sees its result", async () => {
    const body = ask("Light!", {
      model,
      stream: true,
      tools: [{ type: "function", function: { name: "lamp" } }],
      tool_choice: { type: "function", function: { name: "lamp" } },
      service_config: { max_iterations: 2 },
    });
    const answer = await stage.host.request("POST", "/api/chat/completions", body);
    const chunks = await allChunks(answer);
    const events = chunks.filter(
      (chunk) => (chunk as { readonly isToolMessage?: boolean }).isToolMessage === true,
    ) as readonly object[];
    const done = events.filter(
      (event) => (event as { readonly toolStatus: string }).toolStatus === "success",
    );
    expect(done, JSON.stringify(events)).to.not.be.empty;
    expect(done[0]).to.include({ toolName: "lamp", toolOperation: "set" });
    const id = answer.headers.get("x-conversation-id");
    const { body: stored } = await stage.host.json<{
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    }>("GET", `/v1/conversations/${id}`);
    const results = stored.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results).to.have.length(done.length);
    for (const result of results) expect(result).to.match(/the lamp is (red|green)/);
  });

  verifies("models:remove", "is not removed while a run uses it", async () => {
    const controller = new AbortController();
    const body = JSON.stringify(
      ask("Tell me everything.", {
        model,
        stream: true,
        max_tokens: 8000,
        service_config: { mcp_tools_enabled: false },
      }),
    );
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${stage.host.url}/api/chat/completions`, {
      method: "POST",
      headers,
      body,
      signal: controller.signal,
    });
    const { status, body: refused } = await remove(model);
    controller.abort();
    await answer.text().catch(() => undefined);
    expect([status, refused.error.code, existsSync(path.join(models, "tests/tiny"))]).to.deep.equal([
      409,
      "in_use",
      true,
    ]);
  });

  verifies("models:remove", "is removed with its files, and gone from the list", async () => {
    const { status, body } = await remove("llama%2Ftests%2Fother%2Fgone");
    expect([status, body]).to.deep.equal([200, { success: true, id: "llama/tests/other/gone" }]);
    expect([
      existsSync(path.join(models, "tests/other")),
      existsSync(path.join(models, "tests/tiny")),
    ]).to.deep.equal([false, true]);
    expect((await stage.host.request("GET", "/api/models/llama/tests/other/gone")).status).to.equal(404);
    const again = await remove("llama/tests/other/gone");
    expect([again.status, again.body.error.code]).to.deep.equal([404, "model_not_found"]);
  });

  verifies("models:remove", "is unknown afterwards, though it was the last one", async () => {
    let answer = await remove(model);
    for (let left = 20; left > 0 && answer.status === 409; left--) answer = await remove(model);
    expect(answer.status).to.equal(200);
    expect((await remove(model)).body.error.code).to.equal("model_not_found");
    expect((await stage.host.services.models.providers()).map(({ id }) => id)).to.not.include("llama");
  });

  verifies("models:remove", "is not to be confused with what is built in or not there", async () => {
    const builtIn = await remove("custom/test");
    expect([builtIn.status, builtIn.body.error.code]).to.deep.equal([409, "built_in"]);
    for (const id of ["llama/nobody", "nobody/none/such", "llama/..%2F..%2Fsecret"]) {
      const { status, body } = await remove(id);
      expect([id, status, body.error.code]).to.deep.equal([id, 404, "model_not_found"]);
    }
  });
});
