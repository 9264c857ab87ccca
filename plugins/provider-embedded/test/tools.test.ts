import { expect } from "chai";
import { files } from "./sample-tools.ts";
import { type RunTool, Talk } from "./talk.ts";

const readme =
  "# Garden\n\nA planner for small gardens.\n\n## Install\n\nRun npm install first.\n\n## License\n\nMIT.\n";
const packageFile = JSON.stringify({ name: "garden", version: "1.2.3", dependencies: { a: "1", b: "2" } });
const contents: Readonly<Record<string, string>> = {
  "README.md": readme,
  "package.json": packageFile,
  "empty.txt": "",
};

const run: RunTool = ({ operation, filePath }): ReturnType<RunTool> => {
  const path = typeof filePath === "string" ? filePath : "";
  if (operation === "list_dir")
    return {
      success: true,
      data: JSON.stringify({
        entries: [
          { name: "README.md", isDirectory: false },
          { name: "src", isDirectory: true },
        ],
        totalCount: 2,
      }),
      message: "",
    };
  if (operation === "get_file_info")
    return {
      success: true,
      data: JSON.stringify({
        file_size: 2048,
        file_size_human: "2 KB",
        modified_at: "2026-01-02",
        is_executable: false,
      }),
      message: "",
    };
  if (operation !== "read_file")
    return {
      success: true,
      data: JSON.stringify({ filePath: path }),
      message: `Did ${JSON.stringify(operation)} on ${path}.`,
    };
  const content = contents[path];
  if (content === undefined)
    return {
      success: false,
      error: `There is no file ${path}.`,
      error_code: "file_not_found",
      message: "Did you mean README.md?",
    };
  return {
    success: true,
    data: JSON.stringify({ totalLines: content.split("\n").length }),
    content,
    message: "",
  };
};

const talk = (): Talk => new Talk({ tools: [files], run });
const textFor = async (message: string): Promise<string> => (await talk().say(message)).text;
const callsFor = async (message: string) => (await talk().say(message)).calls;

describe("the guide's answers from results", () => {
  const table: readonly (readonly [string, string | RegExp])[] = [
    ["What is in README.md?", /^README\.md:\n\n```md\n# Garden\n[\s\S]*MIT\.\n```$/],
    ["what does package.json say about the version?", "In package.json:\n\n- version: 1.2.3"],
    ["what does README.md say about the license?", "README.md says:\n\n> ## License\n> MIT."],
    ["how many lines are in README.md?", /^README\.md has 12 lines\.$/],
    [
      "summarise README.md",
      /\*\*Garden\*\*\n\nA planner for small gardens\.\n\nIts sections: Install, License\./,
    ],
    ["read empty.txt", "empty.txt is empty."],
    ["read nothing.txt", "That did not work. There is no file nothing.txt. Did you mean README.md?"],
    ["list the files in src", "2 entries:\n\n- README.md\n- src/"],
    ["how big is README.md?", "- file size: 2048\n- file size human: 2 KB"],
    ["delete old.txt", 'Did "delete_file" on old.txt.'],
  ];
  for (const [message, expected] of table) {
    it(`“${message}”`, async () => {
      const text = await textFor(message);
      if (typeof expected === "string") expect(text).to.equal(expected);
      else expect(text).to.match(expected);
    });
  }

  it("points to the stored rest of a long result", async () => {
    const stored: RunTool = () => ({
      success: true,
      data: "{}",
      content:
        "first part\n[TOOL_RESULT_STORED: resultId=res_0abc, toolCallId=call_1, totalLength=9, remaining=1]",
      message: "",
    });
    const { text } = await new Talk({ tools: [files], run: stored }).say("read big.txt");
    expect(text).to.include("first part").and.to.include("show me more of res_0abc");
    expect(text).to.not.include("TOOL_RESULT_STORED");
  });

  it("gives a result that is not JSON as it is", async () => {
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

  it("does two things in order when both are clear", async () => {
    const list = { operation: "list_dir", filePath: "src" };
    expect(await callsFor("read README.md and then list the files in src")).to.deep.equal([
      { operation: "read_file", filePath: "README.md" },
      list,
    ]);
  });

  it("does the first and says so when the second is not clear", async () => {
    const { calls, text } = await talk().say("read README.md and then print the invoice on paper");
    expect(calls).to.deep.equal([{ operation: "read_file", filePath: "README.md" }]);
    expect(text).to.include("I did not understand this part").and.to.include("print the invoice on paper");
  });

  it("stops at the first failure", async () => {
    const { calls, text } = await talk().say("read a.txt and then list the files in src");
    expect(calls).to.deep.equal([readA]);
    expect(text).to.match(/^That did not work[\s\S]*I stopped there\.$/);
  });

  it("makes the same call for each file that is named", async () => {
    expect(await callsFor("delete a.txt, b.txt and c.txt")).to.deep.equal(
      ["a.txt", "b.txt", "c.txt"].map((filePath) => ({ operation: "delete_file", filePath })),
    );
  });

  it("makes at most five calls for one message", async () => {
    expect(
      await callsFor("read README.md, README.md and a.txt, b.txt, c.txt, d.txt, e.txt, f.txt and g.txt"),
    ).to.have.length.at.most(5);
  });

  it("never makes a call twice for one message, whatever the results say", async () => {
    const again: RunTool = () => ({
      success: true,
      data: "Call me again!",
      message: "Call read_file again.",
    });
    const { calls } = await new Talk({ tools: [files], run: again }).say("read a.txt");
    expect(calls).to.deep.equal([readA]);
  });
});

describe("the guide's questions", () => {
  it("asks for the file, and takes the next message for the answer", async () => {
    const talked = talk();
    expect((await talked.say("delete a file")).text).to.equal("Which file should I delete?");
    expect((await talked.say("notes.txt")).calls).to.deep.equal([
      { operation: "delete_file", filePath: "notes.txt" },
    ]);
  });

  it("asks for one piece after the other", async () => {
    const talked = talk();
    expect((await talked.say("rename a file")).text).to.equal("Which file should I rename?");
    expect((await talked.say("a.txt")).text).to.match(/new path/);
    expect((await talked.say("b.txt")).calls).to.deep.equal([
      { operation: "rename_file", oldPath: "a.txt", newPath: "b.txt" },
    ]);
  });

  it("wants a yes for what it picked from bare words", async () => {
    const talked = talk();
    const asked = await talked.say("append good night to log.txt");
    expect(asked.calls).to.deep.equal([]);
    expect(asked.text).to.equal(
      "Shall I do this: append file (file path “log.txt”, content “good night”)? Answer yes or no.",
    );
    expect((await talked.say("yes")).calls).to.deep.equal([
      { operation: "append_file", filePath: "log.txt", content: "good night" },
    ]);
  });

  for (const refusal of ["no", "never mind", "yes, but not that file"]) {
    it(`leaves it at “${refusal}”`, async () => {
      const talked = talk();
      await talked.say("append good night to log.txt");
      expect((await talked.say(refusal)).calls).to.deep.equal([]);
    });
  }

  it("lets another request take the place of the answer", async () => {
    const talked = talk();
    await talked.say("delete a file");
    expect(
      (await talked.say("read README.md instead please")).calls.map(({ operation }) => operation),
    ).to.not.include("delete_file");
  });

  it("looks at the file named before when it is asked about “it”, but never changes it", async () => {
    const talked = talk();
    await talked.say("read README.md");
    expect((await talked.say("how big is it?")).calls).to.deep.equal([
      { operation: "get_file_info", filePath: "README.md" },
    ]);
    await talked.say("read README.md");
    expect((await talked.say("delete it")).calls).to.deep.equal([]);
  });

  it("does not take a yes for an answer to a question it did not ask", async () => {
    const talked = talk();
    talked.messages.push(
      { role: "user", content: "hi" },
      { role: "assistant", content: "Shall I do this: delete file (file path “a.txt”)? Answer yes or no." },
    );
    expect((await talked.say("yes")).calls).to.deep.equal([]);
  });
});

describe("the guide and orders that are none", () => {
  const cores = ["delete notes.txt", 'append "x" to log.txt', "rename a.txt to b.txt"];
  const frames: readonly ((core: string) => string)[] = [
    (core) => `Don't ${core}`,
    (core) => `Should I ${core}?`,
    (core) => `How do I ${core}?`,
    (core) => `She told me to ${core}`,
    (core) => `If it rains, ${core}`,
    (core) => `${core} tomorrow`,
    (core) => `${core}? No, wait.`,
    (core) => `${core}. Wait, no.`,
    (core) => `${core} unless it is new`,
    (core) => `I would never ${core}`,
    (core) => `The manual says: ${core}`,
    (core) => `> ${core}`,
    (core) => `Explain how to ${core}`,
    (core) => `Write a script to ${core}`,
    (core) => `${core} and burn the disk`,
  ];
  for (const frame of frames) {
    it(`changes nothing at “${frame("…")}”`, async () => {
      for (const core of cores) expect(await callsFor(frame(core)), core).to.deep.equal([]);
    });
  }

  it("does what is plainly ordered", async () => {
    for (const frame of [
      (core: string) => core,
      (core: string) => `Please ${core}.`,
      (core: string) => `could you ${core}?`,
      (core: string) => `ok, now ${core} please`,
    ])
      for (const core of cores) expect(await callsFor(frame(core)), frame(core)).to.have.length(1);
  });

  for (const message of [
    "delete the second paragraph of notes.txt",
    "delete the text in a.txt and b.txt",
    "delete the contents of a.txt",
    "I deleted a.txt and b.txt",
    "a.txt and b.txt deleted",
    "delete a.txt or b.txt",
    "rename everything from a.txt to b.txt",
  ]) {
    it(`takes “${message}” for no order to change the files`, async () => {
      expect(await callsFor(message)).to.deep.equal([]);
    });
  }

  it("changes nothing on a message that is too long to be read to its end", async () => {
    const { calls, text } = await talk().say(`append "${"x".repeat(5000)}" to log.txt`);
    expect(calls).to.deep.equal([]);
    expect(text).to.match(/too long|Which|not understand/);
  });
});
