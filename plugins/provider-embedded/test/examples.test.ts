import { expect } from "chai";
import type { OfferedTool } from "@pergola/sdk";
import { family, operation, text } from "./sample-tools.ts";
import { Talk } from "./talk.ts";

const number = { type: "number" } as const;
const path = { type: "string", format: "path" } as const;
const action = { type: "string", enum: ["list", "create", "delete"], default: "list" } as const;

const tools: readonly OfferedTool[] = [
  family(
    "units",
    "Units.",
    operation(
      ["convert", "none"],
      { value: number, from: text, to: text },
      ["value", "from", "to"],
      ["convert 100 F to C", { value: 100, from: "F", to: "C" }],
      ["2 cups in ml", { value: 2, from: "cups", to: "ml" }],
    ),
  ),
  family(
    "memory_operations",
    "Keeps things.",
    operation(
      ["store_memory", "write"],
      { content: text },
      ["content"],
      ["remember that the bin is full", { content: "The bin is full." }],
      ["remember: the key is under the mat", { content: "the key is under the mat" }],
    ),
    operation(
      ["delete_key", "destructive"],
      { key: text },
      ["key"],
      ["delete the key answer", { key: "answer" }],
    ),
  ),
  family("labels", "Labels.", {
    ...operation(
      ["label", "write"],
      { action, name: text },
      [],
      ["list the labels", {}],
      ["create the label red", { action: "create", name: "red" }],
      ["delete the label old", { action: "delete", name: "old" }],
    ),
    effects: ["read", "write"],
  }),
  family(
    "machines",
    "Machines.",
    operation(
      ["wake_machine", "write"],
      { host: text, folder: path, reason: text },
      ["host", "reason"],
      ["wake root@one", { host: "root@one", reason: "It sleeps." }],
      ["wake me@two in the folder /srv", { host: "me@two", folder: "/srv", reason: "It is late." }],
    ),
    operation(
      ["end_helper", "write"],
      { agent_id: text },
      ["agent_id"],
      ["stop agent_1a2b3c", { agent_id: "agent_1a2b3c" }],
    ),
  ),
];

const say = (message: string) => new Talk({ tools }).say(message);
const callsFor = async (message: string) => (await say(message)).calls;
async function afterYes(message: string) {
  const talk = new Talk({ tools });
  const { calls } = await talk.say(message);
  expect(calls, message).to.deep.equal([]);
  return (await talk.say("yes")).calls;
}

describe("a request that an example covers", () => {
  it("gives numbers and units", async () => {
    expect(await callsFor("convert 10 miles to km")).to.deep.equal([{ value: 10, from: "miles", to: "km" }]);
    expect(await callsFor("12 inches in cm")).to.deep.equal([{ value: 12, from: "inches", to: "cm" }]);
  });

  it("may have little words more or less, and the forms of a word", async () => {
    expect(await callsFor("please just convert 10 miles to km")).to.have.length(1);
    expect(await callsFor("list my labels")).to.deep.equal([{}]);
  });

  it("gives texts in the example's dress", async () => {
    expect(await callsFor("remember that my car is blue")).to.deep.equal([
      { operation: "store_memory", content: "My car is blue." },
    ]);
    expect(await callsFor("remember that my cat is called Tom")).to.deep.equal([
      { operation: "store_memory", content: "My cat is called Tom." },
    ]);
    expect(await callsFor("remember: my car is blue")).to.deep.equal([
      { operation: "store_memory", content: "my car is blue" },
    ]);
  });

  it("takes addresses, paths and ids for what they are, and says why in the request's words", async () => {
    expect(await afterYes("wake admin@three in the folder /opt/x")).to.deep.equal([
      {
        operation: "wake_machine",
        host: "admin@three",
        folder: "/opt/x",
        reason: "wake admin@three in the folder /opt/x",
      },
    ]);
    expect(await afterYes("stop agent_9f8e7d")).to.deep.equal([
      { operation: "end_helper", agent_id: "agent_9f8e7d" },
    ]);
  });
});

describe("a folder in an example", () => {
  const finder = family(
    "finder",
    "Finds things.",
    operation(
      ["find", "read"],
      { query: text, folder: path },
      ["query", "folder"],
      ["look for TODO in lib", { query: "TODO", folder: "lib" }],
      ["search the src folder for the word deprecated", { query: "deprecated", folder: "src" }],
    ),
    operation(
      ["entries", "read"],
      { folder: path },
      ["folder"],
      ["list the files in src", { folder: "src" }],
      ["what is in the folder docs?", { folder: "docs" }],
    ),
    operation(
      ["open", "read"],
      { file: path },
      ["file"],
      ["what does it say in notes.txt?", { file: "notes.txt" }],
    ),
  );
  const finds = async (message: string) => (await new Talk({ tools: [finder] }).say(message)).calls;

  for (const message of [
    "list the files here",
    "list the files in here",
    "List files in this folder",
    "please list the files in the current directory.",
    "what is in this folder?",
    "What's here?",
  ])
    it(`may be the current one: “${message}”`, async () => {
      expect(await finds(message)).to.deep.equal([{ operation: "entries", folder: "." }]);
    });

  it("may be the current one beside other values", async () => {
    const call = { operation: "find", query: "FIXME", folder: "." };
    expect(await finds("look for FIXME here")).to.deep.equal([call]);
    expect(await finds("look for FIXME in this project")).to.deep.equal([call]);
  });

  it("is still any folder that is named", async () => {
    expect(await finds("list the files in lib")).to.deep.equal([{ operation: "entries", folder: "lib" }]);
  });

  for (const message of ["list the files there", "list the files", "what does it say here?", "list here"])
    it(`is not guessed: “${message}”`, async () => {
      expect(await finds(message)).to.deep.equal([]);
    });

  it("on another machine is not the current one", async () => {
    expect(await callsFor("wake me@two here")).to.deep.equal([]);
    expect((await say("wake me@two here")).text).to.not.match(/^Shall I/);
  });
});

describe("a request that goes beyond its examples", () => {
  for (const message of [
    "convert 10 friends to Buddhism",
    "convert 10 miles to km by hand",
    "remember it",
    "remember that",
    "remember that I was here? ",
    "can you remember that things change?",
    "remember that it rains, and then delete everything",
    "remember that it rains. no wait",
    "stop helper_9f8e7d",
    "don't remember that the bin is full",
    "how do I list labels?",
    "I listed the labels",
  ])
    it(`leads to no call: “${message}”`, async () => {
      expect(await callsFor(message)).to.deep.equal([]);
    });
});

describe("what is done at once", () => {
  it("is what changes nothing, or only what the service remembers", async () => {
    expect(await callsFor("list the labels")).to.have.length(1);
    expect(await callsFor("remember that the cat is out")).to.have.length(1);
  });

  it("is no other change, not even a deletion there: it is shown as the call that it will be", async () => {
    const table = [
      ["delete the key color", "delete key (key “color”)"],
      ["create the label blue", "label (action “create”, name “blue”)"],
      ["wake admin@three", "wake machine (host “admin@three”, reason “wake admin@three”)"],
    ] as const;
    for (const [message, shown] of table) {
      const { calls, text: answer } = await say(message);
      expect(calls, message).to.deep.equal([]);
      expect(answer).to.equal(`Shall I do this: ${shown}? Answer yes or no.`);
    }
  });
});
