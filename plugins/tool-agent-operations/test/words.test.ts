import { expect } from "chai";
import type { Message } from "@pergola/sdk";
import { messagesFor, summaryOf, titleFor } from "../words.ts";

const said = (...texts: readonly (string | null)[]): readonly Message[] =>
  texts.map((content) => ({ role: "assistant", content }) as Message);
const well = { completionReason: "workflow_complete", error: null } as const;

describe("what is said to and of agents", () => {
  it("makes the last answer the summary", () => {
    expect(summaryOf(well, said("first", "last", null, ""))).to.equal("last");
    expect(summaryOf(well, [])).to.equal("It ended without a word.");
  });

  it("says first what went wrong", () => {
    const error = { message: "No such thing.", type: "server_error", code: "internal_error" };
    expect(summaryOf({ completionReason: "error", error }, said("half"))).to.equal(
      "It failed.\nNo such thing.\nhalf",
    );
    expect(summaryOf({ completionReason: "cancelled", error: null }, [])).to.equal(
      "It was cancelled before it was done.",
    );
  });

  it("keeps to 2,000 characters and leaves no half of a pair", () => {
    expect(summaryOf(well, said("x".repeat(2000)))).to.equal("x".repeat(2000));
    expect(summaryOf(well, said("x".repeat(2001)))).to.equal(`${"x".repeat(1999)}…`);
    expect(summaryOf(well, said(`${"x".repeat(1998)}😀😀`))).to.equal(`${"x".repeat(1998)}…`);
  });

  it("names the conversation after the task, on one line", () => {
    expect(titleFor(" Find\n it ")).to.equal("Sub-agent: Find it");
    expect(titleFor("x".repeat(500))).to.have.lengthOf(111);
  });

  it("puts the instructions behind the role, and the task into the person's place", () => {
    const [system, user] = messagesFor("Be brief.", ["one", "two"]);
    expect(system?.content).to.match(/^You are a sub-agent[^]*\n\nBe brief\.$/);
    expect(user).to.deep.equal({ role: "user", content: "one\n\ntwo" });
  });
});
