import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Project } from "../support/pergola.ts";

/** About 7,500 tokens: a context of 32,768 is full after four. */
const long = (topic: string): string => `Tell me about ${topic}. `.padEnd(30_000, `More of ${topic}. `);
const topics = ["apples", "pears", "plums", "quinces", "medlars"];

describe("the context of a long conversation, at an editor", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());

  const openWith = (session: object): Promise<Editor> => openEditor(project.begin(["acp"]), { session });
  const told = (editor: Editor) => editor.told("compaction_update");

  it("comes with each summary once, where the editor shows it, and again where it loads all", async () => {
    const editor = await openWith({ compaction: {} });
    const { sessionId } = await editor.open(project.folder);
    const goOn = { sessionId, cwd: project.folder, mcpServers: [] };
    for (const topic of topics) {
      project.model.play([chatReply({ text: ["Well."] })]);
      await editor.prompt(sessionId, long(topic));
    }
    const ids = told(editor).map(({ compactionId }) => compactionId);
    expect(ids).to.have.lengthOf.at.least(1);
    expect(new Set(ids)).to.have.property("size", ids.length);
    for (const { status, summary } of told(editor)) {
      expect(status).to.equal("completed");
      expect(summary?.[0]).to.have.property("text").that.includes("Tell me about");
    }
    const other = await openWith({ compaction: {} });
    await other.agent.request("session/load", goOn);
    expect(told(other).map(({ compactionId }) => compactionId)).to.deep.equal(ids);
    const kinds = other.updates.map(({ sessionUpdate }) => sessionUpdate);
    const place = kinds.indexOf("compaction_update");
    expect(place).to.be.greaterThan(kinds.indexOf("user_message_chunk"));
    expect(place).to.be.lessThan(kinds.lastIndexOf("user_message_chunk"));
    other.forget();
    await other.agent.request("session/resume", goOn);
    expect(told(other)).to.deep.equal([]);
    other.close();
    const plain = await openWith({});
    await plain.agent.request("session/load", goOn);
    expect(plain.told("user_message_chunk")).to.have.lengthOf(topics.length);
    expect(told(plain)).to.deep.equal([]);
  });
});
