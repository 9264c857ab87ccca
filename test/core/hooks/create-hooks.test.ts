import { expect } from "chai";
import { PluginError, type HookName } from "@pergola/sdk";
import { createHooks, hookTable } from "../../../core/hooks/create-hooks.ts";
import { recordingLog } from "../../support/recording-log.ts";

const bus = () => createHooks({ log: recordingLog(), failed: () => undefined });

describe("the hooks", () => {
  it("have the kind that the first word of their name says", () => {
    const kinds = {
      collect: "series",
      authenticate: "bail",
      authorize: "bail",
      resolve: "bail",
      shape: "waterfall",
    } as const;
    const kindOf = (name: string) =>
      /(?:Ended|Requested)$/.test(name)
        ? "notice"
        : Object.entries(kinds).find(([word]) => name.startsWith(word))?.[1];
    expect(Object.entries(hookTable).filter(([name, [kind]]) => kind !== kindOf(name))).to.deep.equal([]);
  });

  it("answer at once, without a promise, when nobody taps them (P18)", () => {
    const { hooks } = bus();
    const chat = { system: [], tools: [], sampling: {} };
    expect(hooks.shapeChat(chat, {} as never)).to.equal(chat);
    expect(hooks.authorizeToolCall({} as never, {} as never)).to.equal(undefined);
    expect(hooks.runEnded({} as never)).to.equal(undefined);
  });

  it("take no tap under an unknown name, and name the nearest", () => {
    const tap = (name: string) => () => bus().tap("tool-x", name as HookName, () => undefined as never);
    expect(tap("shapeModelCal")).to.throw(
      PluginError,
      /tool-x, register: there is no hook "shapeModelCal"\. Did you mean "shapeModelCall"\?/,
    );
    expect(tap("toString")).to.throw(PluginError, /there is no hook "toString"/);
  });

  it("take no tap once the gate is closed", () => {
    const closed = bus();
    closed.close();
    expect(() => closed.tap("tool-x", "resolveModel", () => undefined)).to.throw(
      PluginError,
      /tool-x, resolveModel: taps are accepted only while plugins register/,
    );
  });

  it("cannot be changed by those who hold them", () => {
    expect(Object.isFrozen(bus().hooks)).to.equal(true);
  });
});
