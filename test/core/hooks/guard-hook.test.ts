import { expect } from "chai";
import { AppError, PluginError, ToolError, type Hooks, type ModelCall, type ToolResult } from "@pergola/sdk";
import type { TapWatch } from "@pergola/sdk/host";
import { createHooks } from "../../../core/hooks/create-hooks.ts";
import { recordingLog } from "../../support/recording-log.ts";

const call = (model: string): ModelCall => ({ model, messages: [], tools: [], sampling: {} });
const caught = async (work: unknown): Promise<unknown> =>
  Promise.resolve(work).then(
    (value) => ({ value }),
    (error: unknown) => error,
  );

describe("a guarded hook", () => {
  const scene = () => {
    const log = recordingLog();
    const faults: PluginError[] = [];
    return { log, faults, ...createHooks({ log, failed: (fault) => faults.push(fault), deadline: 50 }) };
  };
  /** What shapeModelCall's callers see when the second of three handlers does this. */
  const second = async (handler: unknown): Promise<unknown> => {
    const { tap, hooks } = scene();
    tap("first", "shapeModelCall", (given) => given);
    tap("second", "shapeModelCall", handler as Hooks["shapeModelCall"]);
    tap("third", "shapeModelCall", (given) => given);
    return caught(hooks.shapeModelCall(call("m"), {} as never));
  };

  it("does not hang when a plain handler throws second in a series", async () => {
    const error = await second(() => {
      throw new Error("broken");
    });
    expect(PluginError.is(error)).to.equal(true);
    expect(error).to.include({
      plugin: "second",
      step: "shapeModelCall",
      message: "second, shapeModelCall: broken",
    });
    expect((error as Error).cause)
      .to.be.instanceOf(Error)
      .with.property("message", "broken");
  });

  it("names the plugin of a rejection, and of something thrown that is no error", async () => {
    expect(await second(async () => Promise.reject(new Error("later")))).to.have.property(
      "message",
      "second, shapeModelCall: later",
    );
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    expect(await second(() => { throw "text"; })).to.have.property("message", "second, shapeModelCall: text"); // prettier-ignore
  });

  it("ends a handler that never answers", async () => {
    expect(await second(() => new Promise(() => undefined))).to.have.property(
      "message",
      "second, shapeModelCall: took longer than 0.05 s",
    );
  });

  it("lets an error meant for the client or the model through as it is", async () => {
    const [app, tool] = [new AppError({ code: "not_found", message: "x" }), new ToolError("denied", "y")];
    expect(await second(() => Promise.reject(app))).to.equal(app);
    expect(await second(() => { throw tool; })).to.equal(tool); // prettier-ignore
  });

  for (const [what, answer] of Object.entries({
    nothing: undefined,
    null: null,
    "another thing": "text",
    "half a call": { model: "m" },
  })) {
    it(`a shaping handler that returns ${what} is at fault`, async () => {
      expect(await second(() => answer))
        .to.have.property("message")
        .that.includes("second, shapeModelCall: answered");
    });
  }

  it("an answer that cannot even be looked at is a fault, not a hang", async () => {
    const trap = new Proxy({}, { get: (_, key) => { if (key === "then") return undefined; throw new Error("trap"); } }); // prettier-ignore
    expect(await second(() => trap)).to.have.property("message", "second, shapeModelCall: trap");
    expect(await second(async () => trap)).to.have.property("message", "second, shapeModelCall: trap");
    expect(await second(() => ({ model: 1n })))
      .to.have.property("message")
      .that.includes("answered with object");
  });

  it("hands what one handler made to the next, stages first", async () => {
    const { tap, hooks } = scene();
    const add = (letter: string) => (given: ModelCall) => ({ ...given, model: given.model + letter });
    tap("c", "shapeModelCall", add("c"), "late");
    tap("a", "shapeModelCall", add("a"), "early");
    tap("b", "shapeModelCall", async (given) => add("b")(given));
    expect(await hooks.shapeModelCall(call("-"), {} as never)).to.have.property("model", "-abc");
  });

  it("tells who calls it which handlers have changed or decided something, or failed", async () => {
    const { tap, hooks } = scene();
    const heard: unknown[] = [];
    const watch: TapWatch = ({ plugin, hook, after, error }) =>
      void heard.push([plugin, hook, after ?? (error as Error).message]);
    tap("a", "resolveModel", (name) => (name === "b" ? "a" : undefined));
    tap("same", "shapeModelCall", (given) => given);
    tap("other", "shapeModelCall", (...args) => {
      expect(args).to.have.length(2);
      if (args[0].model === "bad") throw new Error("no");
      return call("new");
    });
    expect(await hooks.resolveModel("c", watch)).to.equal(undefined);
    expect(await hooks.resolveModel("b", watch)).to.equal("a");
    await hooks.shapeModelCall(call("old"), {} as never, watch);
    await caught(hooks.shapeModelCall(call("bad"), {} as never, watch));
    expect(heard).to.deep.equal([
      ["a", "resolveModel", "a"],
      ["other", "shapeModelCall", call("new")],
      ["other", "shapeModelCall", "no"],
    ]);
  });

  it("takes the first answer of a decision and asks nobody after it", async () => {
    const { tap, hooks } = scene();
    let asked = 0;
    tap("a", "authorizeToolCall", () => undefined);
    tap("b", "authorizeToolCall", async () => ({ decision: "deny", code: "denied", message: "no" }));
    tap("c", "authorizeToolCall", () => (asked++, { decision: "allow" }));
    expect(await hooks.authorizeToolCall({} as never, {} as never)).to.have.property("decision", "deny");
    expect(asked).to.equal(0);
  });

  for (const [what, answer] of Object.entries({
    null: null,
    "a bare word": "allow",
    "an unknown decision": { decision: "yes" },
  })) {
    it(`a decision of ${what} is a fault, not an answer: it fails closed`, async () => {
      const { tap, hooks } = scene();
      tap("a", "authorizeToolCall", (() => answer) as never);
      expect(PluginError.is(await caught(hooks.authorizeToolCall({} as never, {} as never)))).to.equal(true);
    });
  }

  it("a null caller does not pass for one", async () => {
    const { tap, hooks } = scene();
    tap("a", "authenticate", (() => null) as never);
    expect(PluginError.is(await caught(hooks.authenticate({} as never)))).to.equal(true);
  });

  it("a notice never fails, and one plugin's error hides nobody else's", async () => {
    const { tap, hooks, log } = scene();
    const heard: string[] = [];
    tap("a", "runEnded", () => { throw new Error("one"); }); // prettier-ignore
    tap("b", "runEnded", async () => Promise.reject(new Error("two")));
    tap("c", "runEnded", () => void heard.push("c"));
    tap("d", "runEnded", () => new Promise(() => undefined));
    expect(await caught(hooks.runEnded({} as never))).to.deep.equal({ value: undefined });
    expect(heard).to.deep.equal(["c"]);
    expect(log.lines.map(({ level, message }) => `${level} ${message}`)).to.have.members([
      "error a, runEnded: one",
      "error b, runEnded: two",
      "error d, runEnded: took longer than 0.05 s",
    ]);
  });

  it("a failing collector is reported, and the others go on", async () => {
    const { tap, hooks, faults } = scene();
    const seen: string[] = [];
    tap("a", "collectTools", () => { throw new Error("no"); }); // prettier-ignore
    tap("b", "collectTools", () => void seen.push("b"));
    await hooks.collectTools({ add: () => undefined });
    expect(faults.map(({ plugin }) => plugin)).to.deep.equal(["a"]);
    expect(seen).to.deep.equal(["b"]);
  });

  it("what a handler answers that took too long is nobody's business: the one after it has its own time", async () => {
    const { tap, hooks, faults } = scene();
    const seen: string[] = [];
    const slow = (name: string, milliseconds: number) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      seen.push(`${name} ends`);
    };
    tap("a", "collectTools", slow("a", 70));
    tap("b", "collectTools", slow("b", 40));
    tap("c", "collectTools", slow("c", 40));
    await hooks.collectTools({ add: () => undefined });
    expect(faults.map(({ message }) => message)).to.deep.equal(["a, collectTools: took longer than 0.05 s"]);
    expect(seen).to.deep.equal(["a begins", "b begins", "a ends", "b ends", "c begins", "c ends"]);
  });

  it("passes over the handlers of a plugin that was left out", async () => {
    const { tap, hooks, withdraw } = scene();
    tap("a", "shapeToolResult", () => ({ success: false, message: "a" }));
    tap("b", "shapeToolResult", (result) => ({ ...result, message: `${result.message}b` }));
    withdraw("a");
    const result: ToolResult = { success: true, message: "-" };
    expect(await hooks.shapeToolResult(result, {} as never, {} as never)).to.deep.equal({
      success: true,
      message: "-b",
    });
  });

  it("counts calls, time and failures for each plugin and hook", async () => {
    const { tap, hooks, countsOf } = scene();
    tap("a", "resolveModel", (model) => { if (model === "bad") throw new Error("bad"); return undefined; }); // prettier-ignore
    for (const model of ["x", "bad", "y"]) await caught(hooks.resolveModel(model));
    const [count, ...more] = countsOf("a");
    expect(more).to.deep.equal([]);
    expect(count).to.include({ name: "resolveModel", calls: 3, failures: 1 });
    expect(count?.milliseconds).to.be.at.least(0);
  });

  it("counts a refusal of what the caller sent as no failure; what the host lacks is one", async () => {
    const { tap, hooks, countsOf } = scene();
    tap("a", "resolveModel", async (code) => {
      throw new AppError({ code, message: "no" });
    });
    for (const code of ["rate_limited", "not_found"]) await caught(hooks.resolveModel(code));
    expect(countsOf("a")[0]).to.include({ calls: 2, failures: 0 }).and.not.have.property("lastError");
    await caught(hooks.resolveModel("storage_unavailable"));
    expect(countsOf("a")[0]).to.include({ failures: 1, lastError: "a, resolveModel: no" });
  });
});
