import { expect } from "chai";
import { afterYes, callsFor, talk } from "./garden-talk.ts";

describe("the guide's choices", () => {
  const vague = "could somebody get rid of that annoying draft.md thing";

  it("are three, with what the request holds, and a line on how to connect a model", async () => {
    const { calls, text } = await talk().say(vague);
    expect(calls).to.deep.equal([]);
    expect(text.match(/^\d\. .+$/gm)).to.have.length(3);
    expect(text).to.include("file operations: delete file (file path “draft.md”), as in “delete old.txt”");
    expect(text).to.include("how do I connect a model?");
  });

  it("are taken by their number, and a change still needs its yes", async () => {
    const talked = talk();
    const { text } = await talked.say(vague);
    const number = /^(\d)\. file operations: delete file/m.exec(text)?.[1] ?? "";
    expect((await talked.say(`number ${number}`)).text).to.equal(
      "Shall I do this: delete file (file path “draft.md”)? Answer yes or no.",
    );
    expect((await talked.say("yes")).calls).to.deep.equal([
      { operation: "delete_file", filePath: "draft.md" },
    ]);
  });

  it("that change nothing are made when they are taken", async () => {
    const talked = talk();
    const { text } = await talked.say("I wonder how big that README.md really is");
    const number = /^(\d)\. file operations: get file info/m.exec(text)?.[1] ?? "";
    expect((await talked.say(number)).calls).to.deep.equal([
      { operation: "get_file_info", filePath: "README.md" },
    ]);
  });

  it("lead to a question for what is missing", async () => {
    const talked = talk();
    const { text } = await talked.say("rename a file");
    const number = /^(\d)\. file operations: rename file/m.exec(text)?.[1] ?? "";
    expect((await talked.say(number)).text).to.match(/What should the old path be\?$/);
    expect((await talked.say("a.txt")).text).to.match(/What should the new path be\?$/);
    expect((await talked.say("to b.txt")).text).to.match(/old path “a.txt”, new path “b.txt”/);
    expect((await talked.say("yes")).calls).to.deep.equal([
      { operation: "rename_file", oldPath: "a.txt", newPath: "b.txt" },
    ]);
  });

  it("are taken by no other number", async () => {
    for (const answer of ["4", "0", "the fifth", "2 or 3"]) {
      const talked = talk();
      await talked.say(vague);
      expect((await talked.say(answer)).calls, answer).to.deep.equal([]);
    }
  });
});

describe("the guide's questions", () => {
  for (const refusal of ["no", "never mind", "yes, but not that file"]) {
    it(`leave it at “${refusal}”`, async () => {
      const talked = talk();
      await talked.say('append "good night" to log.txt');
      expect((await talked.say(refusal)).calls).to.deep.equal([]);
    });
  }

  it("let another request take the place of the answer", async () => {
    const talked = talk();
    await talked.say("delete a.txt");
    expect((await talked.say("read README.md")).calls).to.deep.equal([
      { operation: "read_file", filePath: "README.md" },
    ]);
  });

  it("look at the file named before when it is asked about “it”, but never change it", async () => {
    const talked = talk();
    await talked.say("read README.md");
    expect((await talked.say("how big is it?")).calls).to.deep.equal([
      { operation: "get_file_info", filePath: "README.md" },
    ]);
    await talked.say("read README.md");
    expect((await talked.say("delete it")).calls).to.deep.equal([]);
  });

  it("do not take a yes for an answer to a question that was not asked", async () => {
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

  it("shows what is plainly ordered, and does it after a yes", async () => {
    for (const frame of [
      (core: string) => core,
      (core: string) => `Please ${core}.`,
      (core: string) => `could you ${core}?`,
      (core: string) => `ok, now ${core} please`,
    ])
      for (const core of cores) expect(await afterYes(frame(core)), frame(core)).to.have.length(1);
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
    expect(text).to.match(/^I am not certain/);
  });
});
