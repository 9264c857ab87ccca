import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { strToU8, zipSync } from "fflate";
import type { Package } from "../package-form.ts";
import { readExport } from "../reading/read-export.ts";

type Node = Readonly<Record<string, unknown>>;

const said = (text: string, parent: string | null, more: Node = {}): Node => ({
  parent,
  message: { author: { role: "user" }, content: { content_type: "text", parts: [text] }, ...more },
});
const chat = (mapping: Readonly<Record<string, unknown>>, more: Node = {}): Node => ({
  id: "one",
  title: "One",
  mapping,
  ...more,
});

describe("a file that is no proper export", () => {
  let folder: string;
  beforeEach(() => (folder = temporaryFolder("pergola-exports-")));

  const write = (name: string, content: string | Uint8Array): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const zip = (files: Readonly<Record<string, string | Uint8Array>>): string => {
    const entries = Object.entries(files).map(([name, content]) => [
      name,
      typeof content === "string" ? strToU8(content) : content,
    ]);
    return write(
      "export.zip",
      zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { level: 1 }),
    );
  };
  async function read(file: string) {
    const packages: Package[] = [];
    const problems: string[] = [];
    for await (const found of readExport(file, { from: "auto", modelOf: () => undefined })) {
      if (found.kind === "conversation") packages.push(found.pack as Package);
      if (found.kind === "problem") problems.push(found.message);
    }
    return { packages, problems };
  }
  const texts = async (file: string): Promise<readonly string[]> =>
    (await read(file)).packages.flatMap(({ conversation: { messages } }) =>
      messages.map(
        ({ parentMessageId, id, content }) => `${parentMessageId ?? ""}>${id ?? ""} ${content ?? ""}`,
      ),
    );
  const refusal = (file: string): Promise<string> =>
    read(file).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );

  it("has rings, missing parents, nulls and repeated answers: each message stays once", async () => {
    const mapping = {
      a: { ...said("a", "c"), children: ["b", 7, null] },
      b: said("b", "a"),
      c: said("c", "b"),
      d: said("d", "gone"),
      e: null,
      f: { parent: "f", message: null },
      g: said("g", "f", { create_time: { toString: 1 } }),
      h: { message: { author: null, content: null } },
      i: {
        parent: "h",
        message: { author: { role: "user" }, content: { content_type: "text", parts: [null, {}] } },
      },
    };
    const file = write(
      "x.json",
      JSON.stringify([
        null,
        7,
        chat(mapping, { current_node: "nowhere", create_time: { toString: 1 }, id: { toString: 1 } }),
      ]),
    );
    expect(await texts(file)).to.deep.equal([">d d", ">a a", "a>b b", "b>c c", ">g g"]);
  });

  it("has times of all kinds, and text that no storage takes", async () => {
    const times = [1.7e9, 1.7e12, "2023-11-14T22:13:20Z", "1700000000", null, "soon", -5, 1e300, {}];
    const mapping = Object.fromEntries(
      times.map((time, index) => [
        `m${index}`,
        said(`\ud800\0${index}`, index === 0 ? null : `m${index - 1}`, { create_time: time }),
      ]),
    );
    const { packages } = await read(
      write("x.json", JSON.stringify([chat(mapping, { title: "\0 \ud800\n" })])),
    );
    const [{ conversation }] = packages as [Package];
    expect(conversation.title).to.equal("\ufffd");
    expect(conversation.messages.map(({ content }) => content?.charCodeAt(0))).to.deep.equal(
      times.map(() => 0xfffd),
    );
    expect(new Set(conversation.messages.map(({ timestamp }) => timestamp))).to.deep.equal(
      new Set(["2023-11-14T22:13:20.000Z"]),
    );
  });

  it("cannot change what other objects are", async () => {
    const item = JSON.stringify(chat({ a: said("a", null) }));
    const file = write("x.json", `[${item.replace("{", '{"__proto__":{"isAdmin":true},')}]`);
    expect(await texts(file)).to.deep.equal([">a a"]);
    expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });

  it("breaks off: what comes before is read, and the rest is told", async () => {
    const items = JSON.stringify([chat({ a: said("a", null) }), chat({ b: said("b", null) })]);
    const { packages, problems } = await read(write("x.json", items.slice(0, -20)));
    expect(packages).to.have.lengthOf(1);
    expect(problems.join()).to.match(/^x\.json cannot be read: it is not JSON, or breaks off/);
    const broken = `[${JSON.stringify(chat({ c: said("c", null) }))}, {"a\nb": 1}, {}]`;
    expect((await read(write("w.json", broken))).packages).to.have.lengthOf(1);
    expect(await refusal(write("y.json", "[{"))).to.match(/^y\.json cannot be read/);
    expect(await refusal(write("z.json", "<html>"))).to.match(/^z\.json cannot be read: it is not JSON/);
  });

  it("is of another form: the message says what it looks like, and what is known", async () => {
    const file = write("x.json", '\ufeff\n {"threads": [], "version": 2}');
    expect(await refusal(file)).to.match(
      /x\.json holds no .* begins with an object with the fields threads, version\. Known are .*ChatGPT.*Jan\./,
    );
    expect(await refusal(write("empty.json", ""))).to.match(/holds no conversations/);
    expect(await refusal(path.join(folder, "none.json"))).to.match(/none\.json cannot be read: ENOENT/);
    expect(await refusal(write("deep.json", "[".repeat(200_000)))).to.match(/breaks off/);
  });

  it("is an archive with files of two apps, and of none", async () => {
    const claude = { uuid: "u", chat_messages: [{ uuid: "m", sender: "human", text: "Claude's" }] };
    const file = zip({
      "export/conversations-000.json": JSON.stringify([chat({ a: said("first", null) })]),
      "export/conversations-001.json": JSON.stringify([chat({ b: said("second", null) })]),
      "export/user.json": "{}",
      "__MACOSX/export/._conversations-000.json": "junk",
      "other/conversations.json": JSON.stringify([claude]),
      "picture.png": new Uint8Array(10),
    });
    expect(await texts(file)).to.deep.equal([">a first", ">b second", ">m Claude's"]);
    expect((await read(file)).problems).to.deep.equal([]);
  });

  it("is an archive that fills memories, leads elsewhere or is damaged", async () => {
    const spaces = new Uint8Array(65 << 20).fill(0x20);
    expect(await refusal(zip({ "a.json": spaces }))).to.match(/unpacked, it would be \d+ times as large/);
    expect(await refusal(zip({ "../../a.json": "[]" }))).to.match(/invalid relative path/);
    const whole = zipSync({ "a.json": strToU8("[]") });
    expect(await refusal(write("cut.zip", whole.subarray(0, -10)))).to.match(/cut\.zip cannot be read/);
  }).timeout(20_000);

  it("is a folder with a link to elsewhere, which is not followed", async () => {
    const file = write("elsewhere/secret.json", JSON.stringify([chat({ a: said("secret", null) })]));
    write("export/chats.json", JSON.stringify([chat({ a: said("mine", null) })]));
    symlinkSync(file, path.join(folder, "export/link.json"));
    symlinkSync(path.dirname(file), path.join(folder, "export/more"));
    expect(await texts(path.join(folder, "export"))).to.deep.equal([">a mine"]);
  });
});
