import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Project } from "../support/pergola.ts";

describe("pergola acp, with the protocol's own client", function () {
  this.timeout(60_000);
  let project: Project;
  let editor: Editor;
  before(async () => {
    project = await openProject();
    editor = await openEditor(project.begin(["acp"]));
  });
  after(async () => {
    editor.close();
    await project.close();
  });

  it("streams an answer with thoughts and a tool call", async () => {
    project.model.play([
      chatReply([
        { reasoning: ["Hm, ", "well."] },
        { toolCalls: [{ name: "file_operations", arguments: { operation: "list_dir", path: "." } }] },
      ]),
      chatReply({ text: ["All ", "done."] }),
    ]);
    const { sessionId, configOptions } = await editor.open(project.folder);
    const { stopReason } = await editor.prompt(sessionId, "List the files");
    expect(stopReason).to.equal("end_turn");
    expect(editor.said("agent_message_chunk")).to.equal("All done.");
    expect(editor.said("agent_thought_chunk")).to.equal("Hm, well.");
  });
});
