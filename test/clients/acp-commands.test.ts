import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { sentBody } from "../support/chat.ts";
import { openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Project } from "../support/pergola.ts";

const script = path.join(root, "plugins/bridge-mcp-client/test/servers/prompt-server.mjs");

describe("commands that pergola acp tells an editor", function () {
  this.timeout(60_000);
  let project: Project;
  let editor: Editor;
  before(async () => {
    project = await openProject();
    const env = { STARTS: path.join(project.folder, "starts") };
    const wiki = { command: process.execPath, args: [script], env, effects: { grow: "read" } };
    project.settings({ mcp: { servers: { wiki } } });
    editor = await openEditor(project.begin(["acp"]));
  });
  after(() => project.close());

  const told = () => editor.told("available_commands_update").at(-1)?.availableCommands;
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await setTimeout(10);
  };

  it("are the prompts of MCP servers, which a prompt of the editor calls", async () => {
    const { sessionId } = await editor.open(project.folder);
    await until(() => told() !== undefined);
    expect(told()?.map(({ name }) => name)).to.deep.equal([
      "wiki:page",
      "wiki:greet",
      "wiki:a-picture",
      "wiki:escape",
    ]);
    expect(told()?.[0]).to.deep.include({
      description: "Explain a page.\\u{202e}",
      input: { hint: "<title> [language]" },
    });
    project.model.play([chatReply({ text: "Explained." })]);
    await editor.prompt(sessionId, "/wiki:page Home");
    expect(JSON.stringify(sentBody({ provider: project.model }, -1).messages)).to.include(
      'Explain the page \\\\\\"Home\\\\\\" in en.'.replaceAll("\\\\\\", "\\"),
    );
  });

  it("are told again once there are others, and only then", async () => {
    const { sessionId } = await editor.open(project.folder);
    await until(() => editor.told("available_commands_update").length === 2);
    project.model.play([chatReply({ text: "Hello." })]);
    await editor.prompt(sessionId, "Hello");
    const grow = chatReply({ toolCalls: [{ name: "mcp_wiki", arguments: { operation: "grow" } }] });
    project.model.play([grow, chatReply({ text: "Grown." })]);
    await editor.prompt(sessionId, "Grow");
    await until(() => told()?.some(({ name }) => name === "wiki:late") === true);
    expect(editor.told("available_commands_update")).to.have.length(3);
  });

  it("are the person's skills too, and those of a folder once it is trusted; a prompt calls one", async () => {
    const folder = path.join(project.folder, "trade");
    const writeSkill = (where: string, name: string, text: string): void => {
      mkdirSync(path.join(where, name), { recursive: true });
      const head = `---\nname: ${name}\ndescription: Use this to ${name}.\n---\n`;
      writeFileSync(path.join(where, name, "SKILL.md"), `${head}${text}\n`);
    };
    const own = path.join(project.environment["XDG_CONFIG_HOME"] ?? "", "pergola", "skills");
    writeSkill(own, "polish", "Use the soft cloth.");
    writeSkill(path.join(folder, ".agents", "skills"), "chisel", "Hold the chisel flat.");
    const skills = async () => {
      editor.forget();
      const { sessionId } = await editor.open(folder);
      await until(() => told() !== undefined);
      const names = told()?.flatMap(({ name }) => (name.includes(":") ? [] : name));
      return { sessionId, names };
    };
    expect((await skills()).names).to.deep.equal(["polish"]);
    const trusted = await project.run(["trust", folder, "--yes"], { bare: true });
    expect(trusted.code, trusted.stderr).to.equal(0);
    const { sessionId, names } = await skills();
    expect(names).to.have.members(["chisel", "polish"]);
    expect(told()?.find(({ name }) => name === "chisel")?.description).to.equal("Use this to chisel.");
    const systemText = () => JSON.stringify(sentBody({ provider: project.model }, -1).messages[0]);
    project.model.play([chatReply({ text: "Hello." })]);
    await editor.prompt(sessionId, "Hello");
    expect(systemText()).not.to.include("Hold the chisel flat.");
    project.model.play([chatReply({ text: "Done." })]);
    await editor.prompt(sessionId, "/chisel the edge");
    expect(systemText()).to.include("Hold the chisel flat.");
  });
});
