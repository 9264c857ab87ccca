import { expect } from "chai";
import type { ModelInfo } from "@pergola/sdk";
import { modelsOver } from "./support.ts";

const never = (): AbortSignal => new AbortController().signal;

describe("what a provider lists", () => {
  it("is asked for once, however many wait, and kept", async () => {
    let asked = 0;
    const listModels = async () => [{ id: `m${asked++}` }];
    const { models } = modelsOver({ a: { provider: { listModels } } });
    const lists = await Promise.all([
      models.list(never()),
      models.list(never()),
      models.resolve("a/m0", never()),
    ]);
    expect((await models.list(never())).map(({ name }) => name)).to.deep.equal(["m0"]);
    expect([asked, lists.length]).to.deep.equal([1, 3]);
    models.refresh();
    expect((await models.list(never())).map(({ name }) => name)).to.deep.equal(["m1"]);
  });

  it("leaves out a model whose provider says why, and that is the reason it is not found", async () => {
    const absence = (model: string) => (model === "large" ? "It needs the extra large." : undefined);
    const { models } = modelsOver({ a: { provider: { absence } } });
    const reason = async (id: string): Promise<unknown> =>
      models.resolve(id, never()).catch((error: unknown) => (error as Error).message);
    expect(await reason("a/large")).to.equal('There is no model "a/large". It needs the extra large.');
    expect(await reason("a/other")).to.equal(
      'There is no model "a/other". GET /api/models lists the models.',
    );
  });

  it("is worked out once for each model, and anew when the listing says something else", async () => {
    let contextWindow = 1000;
    const listModels = async () => [{ id: "m", contextWindow }];
    const { models } = modelsOver({ a: { provider: { listModels } } });
    const first = await models.resolve("a/m", never());
    expect(await models.resolve("a/m", never())).to.equal(first);
    models.refresh();
    expect(await models.resolve("a/m", never())).to.equal(first);
    contextWindow = 2000;
    models.refresh();
    expect((await models.resolve("a/m", never())).contextWindow).to.equal(2000);
  });

  it("is asked for again when its time is over; after a failure soon, and the failure is forgotten then", async () => {
    let [now, asked, isDown] = [1_000_000, 0, false];
    const listModels = async () => {
      asked++;
      if (isDown) throw new Error("down");
      return [{ id: "m" }];
    };
    const { models } = modelsOver(
      { a: { provider: { listModels } } },
      { "providers.list_cache_seconds": 300 },
      () => now,
    );
    const after = async (seconds: number) => {
      now += seconds * 1000;
      const list = await models.list(never());
      return [asked, list.length, (await models.providers())[0]?.status];
    };
    expect(await after(0)).to.deep.equal([1, 1, "ok"]);
    expect(await after(299)).to.deep.equal([1, 1, "ok"]);
    isDown = true;
    expect(await after(2)).to.deep.equal([2, 0, "error"]);
    isDown = false;
    expect(await after(9)).to.deep.equal([2, 0, "error"]);
    expect(await after(2)).to.deep.equal([3, 1, "ok"]);
  });

  it("is not taken for lost because one caller left", async () => {
    let give: (models: readonly ModelInfo[]) => void = () => undefined;
    const listModels = () => new Promise<readonly ModelInfo[]>((resolve) => (give = resolve));
    const { models } = modelsOver({ a: { provider: { listModels } } });
    const controller = new AbortController();
    const left = models.list(controller.signal).catch((error: unknown) => error);
    const stayed = models.list(never());
    controller.abort(new Error("gone"));
    expect(await left).to.have.property("message", "gone");
    give([{ id: "m" }]);
    expect((await stayed).map(({ modelId }) => modelId)).to.deep.equal(["a/m"]);
    expect((await models.providers())[0]).to.include({ status: "ok", modelCount: 1 });
  });

  it("and was asked for before a refresh is not kept", async () => {
    const gives: ((models: readonly ModelInfo[]) => void)[] = [];
    const { models } = modelsOver({
      a: { provider: { listModels: () => new Promise((resolve) => gives.push(resolve)) } },
    });
    const before = models.list(never());
    await new Promise(setImmediate);
    models.refresh();
    const after = models.list(never());
    await new Promise(setImmediate);
    gives[1]?.([{ id: "new" }]);
    await after;
    gives[0]?.([{ id: "old" }]);
    await before;
    expect((await models.list(never())).map(({ name }) => name)).to.deep.equal(["new"]);
  });

  it("is replaced by the models of its settings when it fails", async () => {
    const listModels = async (): Promise<never> => Promise.reject(new Error("no"));
    const { models } = modelsOver({ a: { provider: { listModels }, record: { models: ["x"] } } });
    expect((await models.list(never())).map(({ modelId }) => modelId)).to.deep.equal(["a/x"]);
    expect((await models.providers())[0]).to.include({
      status: "error",
      lastError: "The listing failed; the log says why.",
    });
  });
});

describe("the facts of a model", () => {
  const entry = async (info: object, overrides: object = {}) => {
    const { models } = modelsOver(
      { a: { models: [{ id: "x/big-7b", ...info }] } },
      { "models.overrides": overrides as never },
    );
    const { contextWindow, maxOutputTokens, supportsTools, supportsVision, family, source } =
      await models.resolve("a/x/big-7b", never());
    return { contextWindow, maxOutputTokens, supportsTools, supportsVision, family, source };
  };

  it("are the provider's, else the user's, else a guess, and say which", async () => {
    const guess = {
      contextWindow: 8192,
      maxOutputTokens: 2048,
      supportsTools: true,
      supportsVision: false,
      family: "big",
      source: "guess",
    };
    expect(await entry({})).to.deep.equal(guess);
    const user = { "a/x/big-7b": { context_window: 100_000, supportsTools: false, family: "own" } };
    const set = {
      ...guess,
      contextWindow: 100_000,
      maxOutputTokens: 4096,
      supportsTools: false,
      family: "own",
      source: "user",
    };
    expect(await entry({}, user)).to.deep.equal(set);
    expect(await entry({}, { "x/big-7b": user["a/x/big-7b"] })).to.deep.equal(set);
    const told = { contextWindow: 50_000, supportsVision: true, source: "provider" };
    expect(await entry({ contextWindow: 50_000, supportsVision: true }, user)).to.deep.equal({
      ...set,
      ...told,
    });
  });
});

describe("a model's name", () => {
  const { models } = modelsOver(
    {
      a: { models: [{ id: "one" }, { id: "both" }, { id: "b/both" }], record: { prefix: "my_a" } },
      b: { models: [{ id: "both" }, { id: "deep/er/name" }] },
      custom: { models: [{ id: "listed" }] },
      empty: { models: [] },
    },
    { default_model: "b/both" },
  );
  const leads: Readonly<Record<string, string | undefined>> = {
    "my_a/one": "my_a/one",
    "my-a/one": "my_a/one",
    "b/deep/er/name": "b/deep/er/name",
    "deep/er/name": "b/deep/er/name",
    both: "my_a/both",
    "b/both": "b/both",
    default: "b/both",
    "custom/unlisted": "custom/unlisted",
    "empty/anything": "empty/anything",
    "b/unlisted": undefined,
    unlisted: undefined,
  };
  for (const [name, id] of Object.entries(leads)) {
    it(`${name} leads to ${id ?? "nothing"}`, async () => {
      const found = await models.resolve(name, never()).catch((error: unknown) => error);
      if (id === undefined) expect(found).to.include({ code: "model_not_found" });
      else expect(found).to.include({ modelId: id });
    });
  }
});
