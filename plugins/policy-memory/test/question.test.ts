import { expect } from "chai";
import { questionOf } from "../question.ts";

describe("what memory is asked with", () => {
  it("is the newest user message's text, whatever follows it", () => {
    const messages = [
      { role: "user", content: "Old" },
      {
        role: "user",
        content: [
          { type: "text", text: "What is " },
          { type: "image", url: "data:," },
          { type: "text", text: "this?" },
        ],
      },
      { role: "tool", content: "{}", toolCallId: "1" },
    ] as const;
    expect(questionOf({ messages: messages as never })).to.equal("What is \nthis?");
  });

  it("is nothing without one", () => {
    expect(questionOf({ messages: [{ role: "system", content: "x" }] })).to.equal("");
    expect(questionOf({ messages: [{ role: "user", content: null }] })).to.equal("");
  });

  it("is the beginning and the end of a long one, with no half characters", () => {
    const asked = questionOf({ messages: [{ role: "user", content: `Why?${"😀".repeat(10_000)}a` }] });
    expect(asked)
      .to.match(/^Why\?😀/u)
      .and.match(/😀a$/u);
    expect(asked.length).to.be.within(990, 1001);
    expect(asked).not.to.match(/\p{Cs}/u);
  });
});
