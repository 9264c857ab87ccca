import { expect } from "chai";
import { afterYes, callsFor, talk, textFor } from "./garden-talk.ts";
import { files } from "./sample-tools.ts";
import { type RunTool, Talk } from "./talk.ts";

describe("the guide's answers from results", () => {
  const table: readonly (readonly [string, string | RegExp])[] = [
    ["What is in README.md?", /^README\.md:\n\n```md\n# Garden\n[\s\S]*MIT\.\n```$/],
    ["read empty.txt", "empty.txt is empty."],
    ["read nothing.txt", "That did not work. There is no file nothing.txt. Did you mean README.md?"],
    [
      "list the files in src",
      "- entries (2):\n  - README.md (is directory false)\n  - src (is directory true)\n- total count: 2",
    ],
    ["how big is README.md?", /^- file size: 2048\n- file size human: 2 KB\n- modified at: 2026-01-02\n/],
  ];
  for (const [message, expected] of table) {
    it(`“${message}”`, async () => {
      const text = await textFor(message);
      if (typeof expected === "string") expect(text).to.equal(expected);
      else expect(text).to.match(expected);
    });
  }

  it("begin with what the operation says itself", async () => {
    const talked = talk();
    await talked.say("delete old.txt");
    expect((await talked.say("yes")).text).to.equal('Did "delete_file" on old.txt.\n\n- file path: old.txt');
  });

  it("point to the stored rest of a long result", async () => {
    const stored: RunTool = () => ({
      success: true,
      data: "{}",
      content:
        "first part\n[TOOL_RESULT_STORED: resultId=res_0abc, toolCallId=call_1, totalLength=9, remaining=1]",
      message: "",
    });
    const { text } = await new Talk({ tools: [files], run: stored }).say("read big.txt");
    expect(text).to.include("first part").and.to.include("show me the stored result res_0abc");
    expect(text).to.not.include("TOOL_RESULT_STORED");
  });

  it("give a result that is not JSON as it is", async () => {
    const talked = new Talk({ tools: [files] });
    talked.messages.push(
      { role: "user", content: "list the files in src" },
      {
        role: "assistant",
        content: null,
        toolCalls: [
          { id: "c", name: "file_operations", arguments: '{"operation":"list_dir","filePath":"src"}' },
        ],
      },
      { role: "tool", toolCallId: "c", content: "plain words" },
    );
    const { text } = await talked.say("thanks");
    expect(text).to.equal("You are welcome.");
  });
});

describe("the guide's steps", () => {
  const readA = { operation: "read_file", filePath: "a.txt" };

  it("are done in order when all are clear", async () => {
    const list = { operation: "list_dir", filePath: "src" };
    expect(await callsFor("read README.md and then list the files in src")).to.deep.equal([
      { operation: "read_file", filePath: "README.md" },
      list,
    ]);
  });

  it("are not begun when one of them is not clear", async () => {
    const { calls, text } = await talk().say("read README.md and then print the invoice on paper");
    expect(calls).to.deep.equal([]);
    expect(text).to.include("nearest things I can do");
  });

  it("stop at the first failure", async () => {
    const { calls, text } = await talk().say("read a.txt and then list the files in src");
    expect(calls).to.deep.equal([readA]);
    expect(text).to.match(/^That did not work[\s\S]*I stopped there\.$/);
  });

  it("are the same call for each file that is named", async () => {
    expect(await callsFor("read README.md and package.json")).to.deep.equal(
      ["README.md", "package.json"].map((filePath) => ({ operation: "read_file", filePath })),
    );
    expect(await afterYes("delete a.txt, b.txt and c.txt")).to.deep.equal(
      ["a.txt", "b.txt", "c.txt"].map((filePath) => ({ operation: "delete_file", filePath })),
    );
  });

  it("are at most five for one message", async () => {
    expect(
      await callsFor("read README.md, README.md and a.txt, b.txt, c.txt, d.txt, e.txt, f.txt and g.txt"),
    ).to.have.length.at.most(5);
  });

  it("are never made twice for one message, whatever the results say", async () => {
    const again: RunTool = () => ({
      success: true,
      data: "Call me again!",
      message: "Call read_file again.",
    });
    const { calls } = await new Talk({ tools: [files], run: again }).say("read a.txt");
    expect(calls).to.deep.equal([readA]);
  });
});
