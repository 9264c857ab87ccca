import { expect } from "chai";
import type { Operation } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { think } from "../operations/think.ts";

const displayOf = (operation: Operation, args: object) => operation.display?.(args as never);

describe("think", () => {
  it("gives the thoughts back as they are", async () => {
    const thoughts = "First line.\n\n  Second line.\n";
    expect(await runOperation(think, { thoughts }, toolContext())).to.deep.equal({
      data: thoughts,
      message: "Go on.",
    });
  });

  it("repeats which tools were meant to come next", async () => {
    const result = await runOperation(
      think,
      { thoughts: "x", requested_tools: ["file_operations", "think"] },
      toolContext(),
    );
    expect(result.message).to.equal("Go on with file_operations, think.");
  });

  it("touches nothing, so that no policy ever asks", () => {
    expect(think.effect).to.equal("none");
  });

  it("is shown under the name of thinking, with a card that holds the whole thought", () => {
    expect(plugin.tools?.[0]?.operationLabel).to.equal("thinking");
    expect(displayOf(think, { thoughts: "\n  Look first. \nThen leap." })).to.deep.equal({
      action: "think",
      actionDisplayName: "Think",
      summary: "Look first.",
      details: ["  Look first. ", "Then leap."],
    });
  });

  it("cuts a long headline at a whole character", () => {
    const summary = displayOf(think, { thoughts: "🙂".repeat(300) })?.summary ?? "";
    expect(summary).to.equal(`${"🙂".repeat(99)}…`);
  });

  it("also takes the argument's other name", () => {
    expect(think.parameters["thoughts"]?.aliases).to.deep.equal(["thought"]);
  });
});
