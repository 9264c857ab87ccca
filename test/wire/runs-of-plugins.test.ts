import { expect } from "chai";
import type { Caller } from "@pergola/sdk";
import { chatReply } from "@pergola/sdk/testing";
import { openStage } from "../support/host.ts";

const bot: Caller = {
  kind: "token",
  id: "bot",
  name: "Bot",
  remote: true,
  scopes: ["read", "chat"],
  root: null,
};

describe("a run that a plugin starts", function () {
  this.timeout(30_000);

  it("needs a message and a caller, and is a plain chat in all that is left out or undefined", async () => {
    const stage = await openStage(chatReply({ text: "Good day." }));
    const messages = [{ role: "user", content: "Hello" }] as const;
    const live = await stage.host.services.runs.start({ messages, caller: bot, model: undefined });
    const { text, error } = await live.done;
    await stage.end();
    expect([text, error]).to.deep.equal(["Good day.", null]);
    expect(stage.provider.requests[0]?.text).to.include("Hello");
    expect(live.request).to.deep.include({
      kind: "chat",
      model: "default",
      callerTools: [],
      builtinTools: "all",
      sampling: {},
      toolSwitches: {},
      enableMemory: false,
      customInstructions: [],
    });
  });
});
