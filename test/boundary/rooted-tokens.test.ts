import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, type ScriptedCall } from "@pergola/sdk/testing";
import { ask, officialPlugins, type Stage } from "../support/host.ts";
import { answer, calling, labPlugin, outcomesOf, pendingIn, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { addToken, fromElsewhere, openDoorStage } from "./door-scene.ts";

const secret = "a line that nobody with a root may read";
const scopes = ["read", "chat", "tools", "approve"];

describe("a token with a root", () => {
  const above = temporaryFolder();
  const root = path.join(above, "own");
  const outside = path.join(above, "other");
  const link = path.join(root, "link");
  const sibling = `${root}-besides`;
  let stage: Stage;
  let token = "";
  let free = "";
  before(async () => {
    lab.reset();
    for (const folder of [root, outside, sibling]) mkdirSync(folder);
    writeFileSync(path.join(root, "mine.txt"), "mine");
    writeFileSync(path.join(outside, "secret.txt"), secret);
    symlinkSync(outside, link);
    symlinkSync(path.join(outside, "secret.txt"), path.join(root, "leads-out.txt"));
    stage = await openDoorStage({
      plugins: [...officialPlugins(), labPlugin],
      settings: { "debug.allow_remote": true, "tools.disabled": [], "workspace.allowed_roots": [root] },
    });
    token = (await addToken(stage.host, "x50", { scopes, root })).secret;
    free = (await addToken(stage.host, "x50 free", { scopes })).secret;
  });
  after(() => stage.end());

  const post = <T>(at: string, body: object, by = token) =>
    fromElsewhere<T & { error: { code: string } }>(stage.host, at, { method: "POST", token: by, body });
  const read = (filePath: string): ScriptedCall => ({
    name: "file_operations",
    arguments: { operation: "read_file", filePath },
  });
  const chat = (conversationId: string) => post("/api/chat/completions", ask("Do it", { conversationId }));

  it("X50 works in no folder outside of it, whichever way the folder is named", async () => {
    const bad = [outside, above, `${root}/../other`, link, path.join(link, "new"), sibling];
    for (const folder of bad) {
      const answers = [
        await post("/v1/conversations", { title: "Out", workingDirectory: folder }),
        await post("/api/chat/completions", ask("Hi", { service_config: { working_directory: folder } })),
      ];
      for (const { status, body } of answers)
        expect(`${folder} ${status} ${body.error?.code}`).to.equal(`${folder} 400 invalid_value`);
      const byHand = await post<{ error_code: string }>("/debug/mcp/execute", {
        tool: "lab",
        arguments: { operation: "peek", name: "x50" },
        workingDirectory: folder,
      });
      expect(`${folder} ${byHand.body.error_code}`).to.equal(`${folder} invalid_value`);
    }
    expect([lab.log, stage.provider.requests.length]).to.deep.equal([[], 0]);
    const inside = await post("/v1/conversations", { title: "In", workingDirectory: path.join(root, "new") });
    expect(inside.status).to.equal(201);
  });

  it("X50 lets no other device in by a link that leads out of the allowed folders, either", async () => {
    for (const folder of [link, path.join(link, "new")]) {
      const { status, body } = await post(
        "/v1/conversations",
        { title: "Out", workingDirectory: folder },
        free,
      );
      expect(`${status} ${body.error?.code}`).to.equal("400 invalid_value");
    }
  });

  it("X50 has no call reach outside of it: by a path, a link or a grant", async () => {
    const made = await post("/v1/conversations", { id: "x50-calls", title: "In", workingDirectory: root });
    expect(made.status).to.equal(201);
    const target = path.join(outside, "made.txt");
    const granted = path.join(outside, "granted.txt");
    const write = {
      name: "file_operations",
      arguments: { operation: "create_file", filePath: target, content: "x" },
    };
    stage.provider.play([
      calling({ ...write, arguments: { ...write.arguments, filePath: granted } }),
      saying("ok"),
    ]);
    const body = ask("Do it", { conversationId: "x50-calls" });
    const owners = stage.host.json("POST", "/api/chat/completions", body);
    const asked = await pendingIn(stage.host, "x50-calls");
    await answer(stage.host, asked.toolCallId, { approved: true, grant: "conversation", paths: [outside] });
    await owners;
    expect(existsSync(granted), "the owner's call ran, and left a grant").to.equal(true);
    const before = (await outcomesOf(stage.host, "x50-calls")).length;
    const paths = [
      path.join(outside, "secret.txt"),
      "../other/secret.txt",
      "link/secret.txt",
      "leads-out.txt",
    ];
    stage.provider.play([
      ...[...paths.map(read), write].map((call) => calling(call, read("mine.txt"))),
      saying("done"),
    ]);
    expect((await chat("x50-calls")).status).to.equal(200);
    const outcomes = (await outcomesOf(stage.host, "x50-calls")).slice(before);
    const tried = outcomes.filter((_, index) => index % 2 === 0);
    expect(tried.map(({ error_code: code }) => code)).to.deep.equal(Array(5).fill("path_escape"));
    expect(outcomes.filter((_, index) => index % 2 === 1).every(({ success }) => success)).to.equal(true);
    expect(JSON.stringify(stage.provider.requests)).not.to.include(secret);
    expect(existsSync(target)).to.equal(false);
    expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).to.equal(secret);
  });
});
