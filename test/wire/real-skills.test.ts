import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { trustFolder } from "../../core/settings/trust.ts";
import { chat, sentBody, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { calling, messagesOf, saying } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

/** Skills that others have written, as their package has them: in English, and the same in Chinese. */
const published = path.join(root, "node_modules/@ant-design/x-skill");
const names = readdirSync(path.join(published, "skills")).toSorted();

interface Listed {
  readonly skills: readonly {
    readonly name: string;
    readonly description: string;
    readonly path: string;
    readonly own: boolean;
  }[];
  readonly warnings: readonly string[];
}

describe("skills of a published package", function () {
  this.timeout(30_000);
  let stage: Stage;
  let project: string;
  before(async () => {
    stage = await openStage();
    project = temporaryFolder("pergola-repository-");
    mkdirSync(path.join(project, ".git"));
    const home = stage.host.dataDirectory;
    cpSync(path.join(published, "skills"), path.join(project, ".agents/skills"), { recursive: true });
    cpSync(path.join(published, "skills-zh"), path.join(home, ".claude/skills"), { recursive: true });
    await trustFolder(project, { home, environment: {} });
  });
  after(() => stage.end());

  const listed = async (): Promise<Listed> => {
    const query = `workingDirectory=${encodeURIComponent(project)}`;
    return (await stage.host.json<Listed>("GET", `/api/skills?${query}`)).body;
  };
  const bodyOf = (name: string): string => {
    const text = readFileSync(path.join(published, "skills", name, "SKILL.md"), "utf8");
    return text.slice(text.indexOf("\n---\n") + 5).trim();
  };

  verifies("skills:list", "are all in force, those of the folder before the person's own", async () => {
    expect(names).to.have.length.above(5);
    const { skills, warnings } = await listed();
    expect(skills.map(({ name }) => name)).to.deep.equal(names);
    for (const { name, description, path: file, own } of skills) {
      expect(own, name).to.equal(false);
      expect(description, name).to.have.length.within(1, 1024);
      expect(file).to.equal(path.join(project, ".agents/skills", name, "SKILL.md"));
    }
    const shadowed = warnings.filter((warning) => warning.includes("has the same name"));
    expect([shadowed.length, warnings.length]).to.deep.equal([names.length, names.length]);
  });

  verifies(
    ["skills:catalogue", "skills:pinned"],
    "are named to the model, which reads one without an approval",
    async () => {
      const file = path.join(project, ".agents/skills/x-card/SKILL.md");
      const reading = { operation: "read_file", filePath: file };
      stage.provider.play([calling({ name: "file_operations", arguments: reading }), saying("Read.")]);
      const config = { working_directory: project };
      const { body } = await chat(stage, { messages: [user("Make a card")], service_config: config });
      const [system] = sentBody(stage, 0).messages.map(({ content }) => String(content));
      for (const name of names) expect(system).to.include(`- ${name}: `);
      expect(system).to.not.include(bodyOf("x-card").slice(0, 200));
      const messages = await messagesOf(stage.host, body.service_metadata.conversation_id);
      const result = messages.find(({ role }) => role === "tool");
      expect(result?.content).to.include('"success":true');
      expect(result).to.have.property("isPinned", true);
    },
  );

  verifies("skills:called", "are called by their names", async () => {
    for (const name of names) {
      stage.provider.play([saying("So be it.")]);
      const config = { working_directory: project };
      await chat(stage, { messages: [user(`/${name} please`)], service_config: config });
      const [system] = sentBody(stage).messages.map(({ content }) => String(content));
      expect(system, name).to.include(`<skill name="${name}"`);
      expect(system, name).to.include(bodyOf(name));
    }
  });
});
