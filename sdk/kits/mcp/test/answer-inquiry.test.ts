import { expect } from "chai";
import type { Answer, Question } from "@pergola/sdk";
import { answerInquiry, Inquiries, isChoice, structureOf, type Inquiry } from "../index.ts";

const asking = (properties: NonNullable<Inquiry["requestedSchema"]>["properties"] = {}): Inquiry => ({
  message: "Which?",
  requestedSchema: { properties },
});

describe("what a server asks the person", () => {
  /** What comes of an inquiry whose questions are answered one after the other; and the questions. */
  async function answered(inquiry: Inquiry, ...answers: readonly string[]) {
    const questions: Question[] = [];
    const ask = async (question: Question): Promise<Answer> => {
      const text = answers[questions.push(question) - 1] ?? "";
      return text === "denied" ? { decision: text, text: "" } : { decision: "text", text };
    };
    return { answer: await answerInquiry("wiki", inquiry, { ask }), questions };
  }

  it("is asked field by field, under its name, and read by each field's type", async () => {
    const inquiry = asking({
      size: { type: "string", title: "Size\n of it", enum: ["small", "large"] },
      gift: { type: "boolean" },
      count: { type: "integer" },
      tags: { type: "array" },
    });
    const { answer, questions } = await answered(inquiry, "large", "yes", "2", "a, b");
    expect(answer).to.deep.equal({
      action: "accept",
      content: { size: "large", gift: true, count: 2, tags: ["a", "b"] },
    });
    expect(questions[0]).to.deep.equal({
      prompt: 'The MCP server "wiki" asks: Size of it',
      context: 'The MCP server "wiki" asks, and will get the answer:\nWhich?',
      options: ["small", "large"],
    });
    expect(questions.map(({ options = [] }) => options.length)).to.deep.equal([2, 2, 0, 0]);
  });

  it("is declined by a no to any field, at an address, and where there are too many", async () => {
    const two = asking({ a: { type: "string" }, b: { type: "string" } });
    const { answer, questions } = await answered(two, "denied");
    expect([answer, questions.length]).to.deep.equal([{ action: "decline" }, 1]);
    const many = Object.fromEntries([..."abcdefghijk"].map((name) => [name, { type: "string" }]));
    for (const inquiry of [{ ...two, mode: "url" }, asking(many)]) {
      const declined = await answered(inquiry, "x");
      expect([declined.answer, declined.questions]).to.deep.equal([{ action: "decline" }, []]);
    }
  });

  it("is a plain consent without fields", async () => {
    expect((await answered(asking(), "yes")).answer).to.deep.equal({ action: "accept" });
    expect((await answered(asking(), "perhaps")).answer).to.deep.equal({ action: "decline" });
  });

  it("is a choice where nobody has to write", () => {
    expect(isChoice(asking())).to.equal(true);
    expect(isChoice(asking({ a: { oneOf: [{ const: "x" }] }, b: { type: "boolean" } }))).to.equal(true);
    expect(isChoice(asking({ a: { enum: ["x"] }, b: { type: "string" } }))).to.equal(false);
  });

  it("is put to the person during a call, five times, and at no other time", async () => {
    const inquiries = new Inquiries(async () => ({ action: "accept" }));
    const ask = async () => (await inquiries.ask(asking())).action;
    expect(await ask()).to.equal("decline");
    const actions = await inquiries.during({ conversationId: "c1" }, async () => {
      const said: string[] = [];
      for (let times = 0; times < 6; times += 1) said.push(await ask());
      return said;
    });
    expect(actions).to.deep.equal([...Array<string>(5).fill("accept"), "decline"]);
    const both = inquiries.during({ conversationId: "c1" }, () =>
      inquiries.during({ conversationId: "c2" }, ask),
    );
    expect(await both).to.equal("decline");
    expect(await ask()).to.equal("decline");
  });
});

describe("structured content of an answer", () => {
  it("is told once", () => {
    const structuredContent = { degrees: 21 };
    const text = (said: string) => [{ type: "text", text: said }];
    expect(structureOf({ content: text("warm"), structuredContent })).to.deep.equal(['{"degrees":21}']);
    expect(structureOf({ content: text('{ "degrees": 21 }'), structuredContent })).to.deep.equal([]);
    expect(structureOf({ content: text("warm") })).to.deep.equal([]);
  });
});
