import path from "node:path";
import { expect } from "chai";
import { startTestHost, toolContext } from "@pergola/sdk/testing";
import plugin, { imageGeneration } from "../index.ts";
import { imageKind } from "../image-kind.ts";
import { whileWaiting } from "../while-waiting.ts";
import { whyUnavailable } from "../why-unavailable.ts";
import { fakeService, json, made, silence, type FakeService } from "./fake-service.ts";
import { failure, pngUrl, studio } from "./studio.ts";

describe("list_models", () => {
  for (const [form, body] of [
    ["data", { object: "list", data: [{ id: "a", name: "Model A" }, { id: "b" }, { name: "no id" }] }],
    [
      "models",
      {
        models: [
          { id: "a", name: "Model A" },
          { id: "b", name: "" },
        ],
      },
    ],
    ["a bare list", [{ id: "a", name: "Model A" }, "b"]],
  ] as const) {
    it(`reads a list in the form of ${form}`, async () => {
      const { run, stop, asked } = await studio({ "GET /v1/models": json(body) });
      expect((await run("list_models")).data).to.deep.equal({ models: [{ id: "a", name: "Model A" }, { id: "b", name: "b" }] }); // prettier-ignore
      expect(asked).to.deep.equal([{ method: "GET", path: "/v1/models", key: "key-1", body: undefined }]);
      await stop();
    });
  }

  it("says that no service is set, and sends no key where there is none", async () => {
    const { run, stop, asked, origin } = await studio(
      { "GET /models": json([]) },
      { settings: {}, secrets: {} },
    );
    const { code, hint } = await failure(run("list_models"));
    expect([code, hint]).to.deep.equal(["unavailable", "Ask the person to set tools.image.base_url."]);
    const other = await studio({}, { settings: { "tools.image.base_url": origin }, secrets: {} });
    expect((await other.run("list_models")).data).to.deep.equal({ models: [] });
    expect(asked.map(({ key }) => key)).to.deep.equal([undefined]);
    await Promise.all([stop(), other.stop()]);
  });

  for (const address of ["http://8.8.8.8/", "http://[2606:4700::1111]/", "http://[::ffff:8.8.8.8]/"]) {
    it(`does not send the key over plain http to ${address}`, async () => {
      const { run, stop } = await studio({}, { settings: { "tools.image.base_url": address } });
      expect((await failure(run("list_models"))).code).to.equal("permission_denied");
      await stop();
    });
  }

  it("reaches a private address by name", async () => {
    const { run, stop, asked, origin } = await studio({ "GET /models": json([]) });
    const named = await studio(
      {},
      { settings: { "tools.image.base_url": origin.replace("127.0.0.1", "localhost") } },
    );
    await named.run("list_models");
    expect(asked).to.have.length(1);
    expect(await run("list_models").catch((error: unknown) => error)).to.have.property("code", "not_found");
    await Promise.all([stop(), named.stop()]);
  });
});

describe("the availability of image_generation", () => {
  let service: FakeService;
  afterEach(() => service.stop());
  const why = (address: string) => {
    const origins = URL.canParse(address) ? [new URL(address).origin] : [];
    return whyUnavailable(
      toolContext({ settings: { "tools.image.base_url": address }, configured: { origins } }),
    );
  };

  it("is given by a healthy service, also by one that wants a key first", async () => {
    service = await fakeService({
      "GET /health": json({ status: "ok" }),
      "GET /locked/health": json({}, 401),
    });
    expect(await why(service.origin)).to.equal(undefined);
    expect(await why(`${service.origin}/locked/`)).to.equal(undefined);
  });

  it("lacks an address, a proper one, a healthy answer, or any", async () => {
    service = await fakeService({ "GET /health": json({}, 503) });
    expect((await why(""))?.reason).to.equal("No image service is set.");
    for (const wrong of ["ftp://x", "nonsense", "http://me:secret@127.0.0.1"])
      expect((await why(wrong))?.reason, wrong).to.contain("is not");
    expect((await why(service.origin))?.reason).to.equal("The image service is not well (status 503).");
    await service.stop();
    expect((await why(service.origin))?.reason).to.contain("ECONNREFUSED");
    for (const address of ["", "nonsense", service.origin])
      expect((await why(address))?.remedy).to.contain("tools.image.base_url");
  });

  it("is given up after 3 s without an answer", async function () {
    this.timeout(8000);
    service = await fakeService({ "GET /health": silence });
    expect((await why(service.origin))?.reason).to.equal("No answer within 3 s.");
  });
});

describe("image_generation", () => {
  it("T11: has its bare name, phrases for each operation, and no path or URL that a model could choose", () => {
    expect(imageGeneration.aliases).to.deep.equal({ generate_image: "generate" });
    expect(plugin.tools).to.deep.equal([imageGeneration]);
    for (const {
      name,
      parameters,
      examples = [],
      effect,
      recovery,
      timeoutSeconds,
    } of imageGeneration.operations) {
      expect(Object.values(parameters).filter(({ format }) => format !== undefined)).to.deep.equal([]);
      expect(examples.length, name).to.be.at.least(2);
      expect([recovery, timeoutSeconds]).to.deep.equal(
        effect === "write" ? ["once", 600] : [undefined, undefined],
      );
    }
  });

  it("tells images by their first bytes", () => {
    const kinds = {
      "89504e470d0a1a0a00": "png",
      ffd8ffe0: "jpg",
      "474946383961": "gif",
      "474946383761": "gif",
      "52494646000000005745425056": "webp",
      "0000001c6674797061766966": "avif",
      "5249464600000000574156456d": undefined,
      "89504e47": undefined,
      "": undefined,
    };
    for (const [start, kind] of Object.entries(kinds))
      expect(imageKind(Buffer.from(start, "hex")), start).to.equal(kind);
  });

  it("shows how long it has been waiting, and stops when it is over", async () => {
    const shown: string[] = [];
    const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    await whileWaiting({ progress: (text) => void shown.push(text) }, "Waiting", pause(100), 0.02);
    const count = shown.length;
    await pause(60);
    expect(shown.slice(0, 2)).to.deep.equal(["Waiting", "Waiting: 0.02 s"]);
    expect(shown.length).to.equal(count);
  });
});

describe("image_generation in a host", function () {
  this.timeout(30_000);
  const own = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };
  interface Listed {
    readonly name: string;
    readonly available: boolean;
    readonly unavailableReason: string | null;
  }
  const listed = async (host: Awaited<ReturnType<typeof startTestHost>>): Promise<Listed | undefined> =>
    (await host.services.tools.list()).find(({ name }) => name === "image_generation");

  it("T01: runs every operation, sends the secret as key, and asks nobody", async () => {
    const answers = {
      "GET /health": json({}),
      "GET /models": json({ data: [{ id: "sd" }] }),
      "POST /chat/completions": made(pngUrl),
    };
    const service = await fakeService(answers);
    const settings = { tools: { image: { base_url: service.origin, api_key: { env: "IMAGE_KEY" } } } };
    const host = await startTestHost({
      plugins: ["@pergola/bundle-standard", own],
      settings,
      environment: { IMAGE_KEY: "key-from-env" },
    });
    try {
      expect(await listed(host)).to.include({ available: true, unavailableReason: null });
      const calls = { list_models: {}, generate: { prompt: "a fox", steps: "20" } };
      expect(Object.keys(calls)).to.have.members(imageGeneration.operations.map(({ name }) => name));
      for (const [operation, args] of Object.entries(calls)) {
        const call = { toolName: `image_generation.${operation}`, arguments: args };
        expect(
          (await host.json<{ success: boolean }>("POST", "/debug/mcp/execute", call)).body.success,
          operation,
        ).to.equal(true);
      }
      expect(service.asked.map(({ key }) => key)).to.deep.equal([
        undefined,
        "key-from-env",
        "key-from-env",
        "key-from-env",
      ]);
    } finally {
      await host.stop();
      await service.stop();
    }
  });

  it("is listed as unavailable without a service, and the host starts all the same", async () => {
    const host = await startTestHost({ plugins: ["@pergola/bundle-standard", own] });
    try {
      const { available, unavailableReason } = (await listed(host)) ?? {};
      expect(available).to.equal(false);
      expect(unavailableReason).to.contain("Set tools.image.base_url");
      const { body } = await host.json<{ error_code: string }>("POST", "/debug/mcp/execute", {
        toolName: "generate_image",
        arguments: { prompt: "x" },
      });
      expect(body.error_code).to.equal("unavailable");
    } finally {
      await host.stop();
    }
  });
});
