import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import type { Caller } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import type { Bench } from "../bench.ts";
import { Switches } from "../switches.ts";

const caller: Caller = endpointRequest().caller;

describe("switches of a conversation", () => {
  /** A conversation in a store that takes its time, and fails when it is asked for another. */
  const scene = () => {
    let toolOverrides: Readonly<Record<string, boolean>> = { kept: true };
    const conversations = {
      get: async (id: string) => {
        await setTimeout(2);
        if (id !== "one") throw new Error(`no ${id}`);
        return { settings: { toolOverrides } };
      },
      update: async (
        _: string,
        { settings }: { readonly settings: { readonly toolOverrides: typeof toolOverrides } },
      ) => {
        await setTimeout(2);
        toolOverrides = settings.toolOverrides;
      },
    };
    const toolbox = { names: ["a", "b", "c"], isFamily: () => true };
    return {
      switches: new Switches({ conversations, toolbox } as unknown as Bench),
      now: () => toolOverrides,
    };
  };

  it("undo nothing of each other when they come at once, nor when one fails", async () => {
    const { switches, now } = scene();
    const set = (name: string, conversationId: string) =>
      switches.enable(name, false, { conversationId, caller }).catch(String);
    expect(await Promise.all([set("a", "one"), set("b", "other"), set("c", "one")])).to.deep.equal([
      undefined,
      "Error: no other",
      undefined,
    ]);
    expect(now()).to.deep.equal({ kept: true, a: false, c: false });
  });
});
