import { expect } from "chai";
import { AppError, type ModelCall } from "@pergola/sdk";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { waitBefore } from "../attempt.ts";
import { failing, modelsOver, tool } from "./support.ts";

const fine: ScriptTurn = { text: "Fine." };

describe("a model call that fails (F9)", () => {
  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`with ${status} is tried again after about 2 and 4 seconds, and then given up`, async () => {
      const { hear, waits, asked } = modelsOver({
        a: { script: [failing(status), failing(status), failing(status), fine] },
      });
      const { error, text } = await hear("a/m");
      expect([text, waits, asked["a"]?.length]).to.deep.equal(["", [2, 4], 3]);
      expect(error).to.have.nested.property("details.status", status);
    });
  }

  for (const status of [400, 401, 402, 403, 404, 409, 413, 422, 529]) {
    it(`with ${status} is not tried again`, async () => {
      const { hear, waits, asked } = modelsOver({ a: { script: [failing(status), fine] } });
      expect((await hear("a/m")).error).to.have.nested.property("details.status", status);
      expect([waits, asked["a"]?.length]).to.deep.equal([[], 1]);
    });
  }

  it("goes on with the answer of a later try", async () => {
    const { hear, waits } = modelsOver({ a: { script: [failing(503), fine] } });
    const { text, error, answered } = await hear("a/m");
    expect([text, error, answered?.modelId, waits]).to.deep.equal(["Fine.", undefined, "a/m", [2]]);
  });

  it("is tried as often as its provider's retry_count says", async () => {
    for (const [count, expected] of [
      [0, []],
      [1, [2]],
      [4, [2, 4, 6, 8]],
    ] as const) {
      const { hear, waits } = modelsOver({
        a: { script: () => failing(500), record: { retry_count: count } },
      });
      await hear("a/m");
      expect(waits).to.deep.equal(expected);
    }
  });

  it("waits as long as the provider asks, up to 60 s; longer counts as failed", async () => {
    for (const [retryAfter, expected] of [
      [0, [0]],
      [7, [7]],
      [60, [60]],
      [61, []],
      [1e9, []],
    ] as const) {
      const { hear, waits, asked } = modelsOver({ a: { script: [failing(429, retryAfter), fine] } });
      const { error } = await hear("a/m");
      expect([waits, asked["a"]?.length]).to.deep.equal([expected, expected.length + 1]);
      if (expected.length === 0) expect(error).to.include({ code: "provider_rate_limited", retryAfter });
    }
  });

  it("waits a fifth less or more by chance, so that many callers do not come back at once; never other than it is asked to", () => {
    const failure = (retryAfter?: number) =>
      new AppError({
        code: "provider_error",
        message: "no",
        details: { status: 503 },
        ...(retryAfter && { retryAfter }),
      });
    const waitsAt = (chance: number) =>
      [1, 2, 3].map((attempt) => waitBefore(attempt, failure(), 120, () => chance));
    for (const [chance, expected] of [
      [0, [1.6, 3.2, 4.8]],
      [1, [2.4, 4.8, 7.2]],
    ] as const)
      waitsAt(chance).forEach((wait, index) => expect(wait).to.be.closeTo(expected[index] ?? 0, 1e-9));
    expect(waitBefore(1, failure(7), 120, () => 1)).to.equal(7);
  });

  it("waits no longer than providers.max_wait_seconds in all", async () => {
    const { hear, waits } = modelsOver({
      a: { script: () => failing(503, 50), record: { retry_count: 10 } },
    });
    expect((await hear("a/m")).error).to.include({ code: "provider_error" });
    expect(waits).to.deep.equal([50, 50]);
    const never = modelsOver(
      { a: { script: () => failing(503), record: { retry_count: 10 } } },
      { "providers.max_wait_seconds": 0 },
    );
    await never.hear("a/m");
    expect(never.waits).to.deep.equal([]);
  });

  it("is not tried again once something of it was heard", async () => {
    for (const begun of [
      { text: "Once" },
      { reasoning: "Hm" },
      { toolCalls: [{ name: "t", arguments: "{}" }] },
    ] as const) {
      const { hear, asked } = modelsOver(
        { a: { script: [[begun, failing(503)], fine] }, b: { script: [fine] } },
        { "providers.fallback_chains": { "*": ["b/m"] } },
      );
      const { error, events } = await hear("a/m");
      expect([events.length, asked["a"]?.length, asked["b"]?.length]).to.deep.equal([1, 1, 0]);
      expect(error).to.include({ code: "provider_error" });
    }
  });

  it("stops at once when it is cancelled, also while it waits", async () => {
    const controller = new AbortController();
    const script = () => {
      controller.abort(new Error("gone"));
      return failing(503);
    };
    const { hear, asked } = modelsOver(
      { a: { script }, b: { script: [fine] } },
      { "providers.fallback_chains": { "*": ["b/m"] } },
    );
    const { text } = await hear("a/m", {}, controller.signal);
    expect([text, asked["a"]?.length, asked["b"]?.length]).to.deep.equal(["", 1, 0]);
  });
});

describe("a fallback chain", () => {
  const chain = (...names: readonly string[]) => ({ "providers.fallback_chains": { "*": names } });

  for (const status of [401, 402, 403, 404, 429, 500, 529]) {
    it(`is gone through after ${status}, and every model that was skipped is named`, async () => {
      const { hear } = modelsOver(
        { a: { script: () => failing(status), record: { retry_count: 0 } }, b: { script: [fine] } },
        chain("b/m"),
      );
      const { text, answered, warnings } = await hear("a/m");
      expect([text, answered?.modelId]).to.deep.equal(["Fine.", "b/m"]);
      expect(warnings).to.deep.equal([`a/m was skipped: a answered ${status}: no ${status}`]);
    });
  }

  for (const status of [400, 413, 422]) {
    it(`is not gone through after ${status}: another model would get the same request`, async () => {
      const { hear, asked } = modelsOver(
        { a: { script: [failing(status)] }, b: { script: [fine] } },
        chain("b/m"),
      );
      expect((await hear("a/m")).error).to.include({ code: "provider_rejected" });
      expect(asked["b"]).to.deep.equal([]);
    });
  }

  it("is gone through after a model that there is not, and tells the last failure when all fail", async () => {
    const { hear } = modelsOver(
      { a: {}, b: { script: [failing(401)] }, c: { script: [failing(403)] } },
      chain("b/m", "c/m"),
    );
    const { error, warnings } = await hear("a/none");
    expect(error).to.have.nested.property("details.status", 403);
    expect(warnings.map((text) => text.split(" ")[0])).to.deep.equal(["a/none", "b/m"]);
  });

  it("may be that of the name that was asked for, of the model that it stands for, or of any", async () => {
    const sources = {
      a: { script: () => failing(401) },
      b: { script: () => fine },
      c: { script: () => fine },
      d: { script: () => fine },
    };
    const { hear } = modelsOver(sources, {
      default_model: "a/m",
      "providers.fallback_chains": { default: ["b/m"], "a/m": ["c/m"], "*": ["d/m"] },
    });
    expect([(await hear("default")).answered?.modelId, (await hear("m")).answered?.modelId]).to.deep.equal([
      "b/m",
      "c/m",
    ]);
    expect((await hear("nobody")).answered?.modelId).to.equal("d/m");
  });

  const small = { script: [fine], models: [{ id: "m", supportsTools: true, contextWindow: 100 }] };
  const toolless = { script: [fine], models: [{ id: "m", supportsTools: false, contextWindow: 100_000 }] };
  const long: Partial<ModelCall> = { messages: [{ role: "user", content: "x".repeat(4000) }] };
  const raw = (given: object): Partial<ModelCall> => ({ messages: [], raw: given as never });

  const skipped: Readonly<Record<string, readonly [typeof small, Partial<ModelCall>, string]>> = {
    "has no tools, which the call offers": [toolless, { tools: [tool] }, "it has no tools"],
    "has no tools, which a bypassed call offers": [toolless, raw({ tools: [{}] }), "it has no tools"],
    "has too little context": [small, long, "the call needs about 1001 tokens of context, and it has 100"],
    "has too little context for a bypassed call": [
      small,
      raw({ messages: ["x".repeat(4000)] }),
      "the call needs about 1005 tokens of context, and it has 100",
    ],
  };
  for (const [what, [second, call, reason]] of Object.entries(skipped)) {
    it(`passes over a model that ${what}`, async () => {
      const { hear, asked } = modelsOver(
        { a: { script: [failing(401)] }, b: second, c: { script: [fine] } },
        chain("b/m", "c/m"),
      );
      const { answered, warnings } = await hear("a/m", call);
      expect([answered?.modelId, asked["b"]?.length, warnings[1]]).to.deep.equal([
        "c/m",
        0,
        `b/m was skipped: ${reason}`,
      ]);
    });
  }

  it("passes nothing over that the call does not need, or that is only guessed", async () => {
    const guessed = { script: [fine], models: [{ id: "m" }] };
    for (const [second, call] of [
      [toolless, {}],
      [toolless, raw({ messages: [], tools: [] })],
      [small, {}],
      [
        guessed,
        {
          ...long,
          messages: [{ role: "user", content: "x".repeat(100_000) }],
          tools: [tool],
        } as Partial<ModelCall>,
      ],
    ] as const) {
      const { hear } = modelsOver({ a: { script: [failing(401)] }, b: second }, chain("b/m"));
      expect((await hear("a/m", call)).answered?.modelId).to.equal("b/m");
    }
  });

  it("tells the failure of the model that was asked for when no other will do", async () => {
    const { hear } = modelsOver({ a: { script: [failing(401)] }, b: toolless }, chain("b/m"));
    expect((await hear("a/m", { tools: [tool] })).error).to.include({ code: "provider_auth_failed" });
  });
});
