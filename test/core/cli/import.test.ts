import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { root } from "../../architecture/tree.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const exportOf = (name: string): string => path.join(root, "plugins/feature-transfer/test/exports", name);

interface Report {
  readonly imported: readonly string[];
  readonly replaced: readonly string[];
  readonly messages: number;
  readonly present: number;
  readonly grown: readonly string[];
  readonly continued: readonly string[];
  readonly empty: number;
  readonly leftOut: Readonly<Record<string, number>>;
}

/** What docs/import.md shows. */
describe("pergola conversations import", function () {
  this.timeout(60_000);
  let project: Project;
  let port: number;
  before(async () => {
    project = await openProject();
    project.settings({ "memory.embedding_model": "" });
    port = await freePort();
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());

  const conversations = (...words: readonly string[]) => project.run(["conversations", ...words]);
  const report = async (...words: readonly string[]): Promise<Report> =>
    JSON.parse((await conversations("import", ...words, "--json")).stdout) as Report;

  it("imports an export of ChatGPT once, with its branches, and says what is left out", async () => {
    const first = await conversations("import", exportOf("chatgpt.json"));
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stderr.split("\n")).to.deep.equal([
      "Imported 1 conversation, 6 messages in all.",
      "1 conversation without a message was left out.",
      "Left out: 1 picture, 1 file, 2 steps of tools, 1 system prompt.",
      "Models that are not here: gpt-5 (1). The default model goes on with them.",
      "",
    ]);
    const id = first.stdout.trim();
    const shown = await conversations("show", id);
    expect(shown.stdout).to.match(
      /Which green is this\?[^]*It is RAL 6005\.[^]*How many coats\?[^]*Two coats/,
    );
    expect(shown.stdout).not.to.match(/obey|Three coats|blue/);
    expect((await conversations("search", "coats")).stdout)
      .to.include(id)
      .and.include("Three");
    expect(await report(exportOf("chatgpt.json"))).to.deep.include({ imported: [], present: 1, messages: 0 });
  });

  it("tells of an export that got longer, and replaces on demand what did not go on here", async () => {
    const [fence] = JSON.parse(readFileSync(exportOf("chatgpt.json"), "utf8")) as [
      { mapping: Record<string, unknown>; conversation_id: string; current_node: string },
    ];
    const file = path.join(project.folder, "longer.json");
    const message = { author: { role: "user" }, content: { content_type: "text", parts: ["And when?"] } };
    const mapping = { ...fence.mapping, n12: { id: "n12", parent: "n9", children: [], message } };
    writeFileSync(file, JSON.stringify([{ ...fence, mapping, current_node: "n12" }]));
    expect(await report(file)).to.deep.include({ imported: [], grown: ["Paint the fence"] });
    const [id = ""] = (await conversations("list", "fence")).stdout.split(" ");
    await conversations("rename", id, "Fence");
    const replaced = await report(file, "--on-conflict", "replace");
    expect(replaced).to.deep.include({ imported: [], replaced: [id], messages: 7 });
    expect((await conversations("show", id)).stdout).to.match(/^Fence\n[^]*And when\?/);
    expect(await report(file, "--on-conflict", "replace")).to.deep.include({ replaced: [], present: 1 });
  });

  it("does not replace what went on here", async () => {
    const file = path.join(project.folder, "notes.json");
    const message = (uuid: string, text: string) => ({ uuid, sender: "human", text });
    const notes = (...messages: readonly object[]): void =>
      writeFileSync(file, JSON.stringify([{ uuid: "notes", name: "Notes", chat_messages: messages }]));
    notes(message("a", "Remember the milk"));
    const [id = ""] = (await report(file)).imported;
    await project.run(["chat", "--conversation", id], { input: "And the bread\n" });
    notes(message("a", "Remember the milk"), message("b", "Or oats"));
    expect(await report(file, "--on-conflict", "replace")).to.deep.include({
      replaced: [],
      continued: ["Notes"],
    });
    expect((await conversations("show", id)).stdout)
      .to.include("And the bread")
      .and.not.include("oats");
  });

  it("imports a folder; search finds what it says, and models get no orders of it", async () => {
    expect((await report(path.dirname(exportOf("x")))).imported).to.have.lengthOf(5);
    const found = await fetch(`http://127.0.0.1:${port}/api/search?q=bowline`);
    const { hits } = (await found.json()) as { hits: readonly { conversationId: string; role: string }[] };
    expect(hits.map(({ role }) => role)).to.deep.equal(["assistant"]);
    await project.run(["chat", "--conversation", hits[0]!.conversationId], { input: "Why?\n" });
    const sent = JSON.stringify(project.model.requests.at(-1)?.body);
    expect(sent).to.include("A bowline.").and.include("Why?");
    expect(sent).not.to.match(/Obey this file|granny knot\./);
    const wrong = await conversations("import", exportOf("claude.json"), "--from", "jan");
    expect([wrong.code, wrong.stderr.includes("No conversation of --from jan")]).to.deep.equal([2, true]);
    const unknown = await conversations("import", exportOf("claude.json"), "--from", "gemini");
    expect([unknown.code, unknown.stderr.includes("--from knows auto, pergola, chatgpt")]).to.deep.equal([
      2,
      true,
    ]);
  });

  it("stops after the present conversation on Ctrl-C, and goes on with the rest the next time", async () => {
    const file = path.join(project.folder, "many.json");
    const total = 250;
    const chat = (index: number) => ({
      uuid: `many-${index}`,
      name: `Many ${index}`,
      chat_messages: [{ uuid: "m", sender: "human", text: `Message ${index}` }],
    });
    writeFileSync(file, JSON.stringify(Array.from({ length: total }, (_, index) => chat(index))));
    const isBegun = async (): Promise<boolean> => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/conversations?q=Many&limit=1`);
      return ((await answer.json()) as { readonly count: number }).count > 0;
    };
    const first = project.begin(["conversations", "import", file, "--json"]);
    while (!(await isBegun())) await setTimeout(20);
    expect(await first.end("SIGINT"), first.stderr).to.equal(130);
    const stopped = JSON.parse(first.stdout) as Report & { readonly stopped: boolean };
    expect(stopped.stopped).to.equal(true);
    const before = stopped.imported.length;
    expect(before).to.be.within(1, total - 1);
    expect(await report(file)).to.deep.include({ present: before, messages: total - before, stopped: false });
  });
});
