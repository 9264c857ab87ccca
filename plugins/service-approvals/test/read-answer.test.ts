import { expect } from "chai";
import { milliseconds } from "../grants.ts";
import { readAnswer } from "../read-answer.ts";

describe("an answer", () => {
  it("to an approval is yes in exact words only", () => {
    const decision = (text: string) => readAnswer("approval", { text }).decision;
    for (const yes of [
      "yes",
      "Y",
      " ok ",
      "Okay.",
      "approve",
      "approved",
      "allow",
      "confirm",
      "proceed",
      "Go ahead!",
    ])
      expect(decision(yes), yes).to.equal("approved");
    for (const no of [
      "",
      "no",
      "yes, but not now",
      "yes?",
      "not ok",
      "sure",
      "yep",
      "y e s",
      "ja",
      "true",
      "1",
    ])
      expect(decision(no), no).to.equal("denied");
  });

  it("by a button outweighs the words beside it, which are handed on", () => {
    expect(readAnswer("approval", { approved: false, text: "yes" })).to.deep.equal({
      decision: "denied",
      answer: "yes",
    });
    expect(readAnswer("approval", { approved: true, text: "only once" })).to.deep.equal({
      decision: "approved",
      answer: "only once",
    });
  });

  it("to a question is its text, whatever it says", () => {
    expect(readAnswer("question", { text: "no" })).to.deep.equal({ decision: "text", answer: "no" });
    expect(readAnswer("question", { approved: true })).to.deep.equal({
      decision: "text",
      answer: "Approved",
    });
    expect(readAnswer("question", { approved: false })).to.deep.equal({ decision: "text", answer: "Denied" });
    expect(readAnswer("question", {})).to.deep.equal({ decision: "text", answer: "" });
  });
});

describe("a duration", () => {
  it("is a number and a unit, from a second to thirty days", () => {
    expect(["1s", "90s", "5m", "2h", "30d"].map(milliseconds)).to.deep.equal([
      1000, 90_000, 300_000, 7_200_000, 2_592_000_000,
    ]);
    for (const wrong of ["", "0s", "31d", "5", "m5", "1.5h", "5 m", "-1h", "1w"])
      expect(() => milliseconds(wrong), wrong)
        .to.throw()
        .with.property("code", "invalid_value");
  });
});
