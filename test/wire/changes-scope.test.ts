import { existsSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { spawning, cast } from "../support/agent-stage.ts";
import {
  openChanges,
  unasked,
  writing,
  type ChangesScene,
  type WirePage,
  type WireRevert,
} from "../support/changes-scene.ts";
import { ask, officialPlugins } from "../support/host.ts";
import {
  calling,
  eachItsLab,
  eventually,
  labCall,
  play,
  runWith,
  saying,
  type ChatAnswer,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { execute } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("changes of files", () => {
  let scene: ChangesScene;
  before(async () => {
    scene = await openChanges();
  });
  after(() => scene.end());

  const ofConversation = async (id: string): Promise<WirePage> =>
    (await scene.host.json<WirePage>("GET", `/api/changes?conversationId=${id}`)).body;

  verifies(
    "changes:by-hand",
    "by hand are listed under the conversation, and taken back by the call's id",
    async () => {
      scene.put("hand.txt", "a");
      await scene.host.json("POST", "/v1/conversations", { id: "hand" });
      const args = { operation: "write_file", filePath: "hand.txt", content: "b" };
      const more = { workingDirectory: scene.folder, conversationId: "hand" };
      const { executionId } = (await execute(scene, "file_operations", args, more)) as unknown as {
        readonly executionId: string;
      };
      const { changes, count } = await ofConversation("hand");
      expect(count).to.equal(1);
      expect(changes[0]).to.include({ runId: null, revertId: null, callId: executionId });
      expect((await scene.revert(executionId)).success).to.equal(true);
      expect(scene.read("hand.txt")).to.equal("a");
      expect((await ofConversation("hand")).changes[0]).to.include({
        runId: null,
        callId: null,
        kind: "modified",
      });
      expect((await scene.host.json("GET", "/api/changes")).status).to.equal(400);
    },
  );

  verifies(
    "changes:agents",
    "by a sub-agent belong to the run above it, unless they are not wanted",
    async () => {
      const config = { working_directory: scene.folder, enable_workflow_mode: true };
      const above = [
        spawning({ task: "Write", wait: true }),
        calling(writing("above.txt", "1")),
        saying("Done."),
      ];
      scene.provider.play(cast(above, { Write: [calling(writing("agent.txt", "1")), saying("Written.")] }));
      const { body } = await scene.host.json<ChatAnswer>(
        "POST",
        "/api/chat/completions",
        ask("Go.", { service_config: config }),
      );
      const run = body.service_metadata.run_id;
      expect(await scene.kinds(run)).to.deep.equal(["created agent.txt", "created above.txt"]);
      const agent = (await scene.changes(run)).changes[1]?.runId ?? "";
      expect(agent).to.match(/^run_/).and.not.equal(run);
      expect(
        (await scene.changes(run, "?includeAgents=false")).changes.map(({ runId }) => runId),
      ).to.deep.equal([run]);
      expect(await scene.kinds(agent)).to.deep.equal(["created agent.txt"]);
      const of = (await scene.changes(run, "?includeAgents=false")).changes[0]?.conversationId ?? "";
      expect((await ofConversation(of)).changes.map(({ runId }) => runId)).to.deep.equal([run]);
      const all = (await ofConversation(`${of}&includeAgents=true`)).changes;
      expect(all.map(({ runId, rootRunId }) => [runId, rootRunId])).to.deep.equal([
        [run, run],
        [agent, run],
      ]);
      expect((await scene.revert(run, { includeAgents: false })).reverted).to.have.length(1);
      expect(existsSync(scene.at("agent.txt"))).to.equal(true);
      expect((await scene.revert(run)).reverted).to.deep.equal([
        { path: scene.at("agent.txt"), action: "removed" },
      ]);
    },
  );

  verifies(
    "changes:forgotten",
    "go with their conversation, and the contents that nobody else needs with them",
    async () => {
      scene.put("one.txt", "only here");
      scene.put("two.txt", "both");
      const first = await scene.run([writing("one.txt", "1"), writing("two.txt", "1")], {
        conversationId: "first",
      });
      scene.put("two.txt", "both");
      const second = await scene.run([writing("two.txt", "2")], { conversationId: "second" });
      expect((await ofConversation("first")).count).to.equal(2);
      expect((await scene.host.json("DELETE", "/v1/conversations/first")).status).to.be.lessThan(300);
      expect((await ofConversation("first")).count).to.equal(0);
      expect((await scene.changes(first)).changes ?? []).to.deep.equal([]);
      expect((await scene.revert(second)).success).to.equal(true);
      expect(scene.read("two.txt")).to.equal("both");
    },
  );
});

describe("a revert of changes of files", () => {
  const open = eachItsLab();

  verifies("changes:in-use", "waits for the end of the conversation's run", async () => {
    const stage = await open({ settings: unasked });
    const folder = temporaryFolder();
    const more = { conversationId: "busy", service_config: { working_directory: folder } };
    const { body } = await play(stage, [calling(writing("a.txt", "1")), saying("Done.")], more);
    const revert = async () =>
      stage.host.json<WireRevert>("POST", `/api/runs/${body.service_metadata.run_id}/revert`, {});
    const going = play(stage, [calling(labCall("peek", "gate", { gate: true })), saying("Done.")], more);
    await runWith(stage.host, "busy", "running");
    const refused = await revert();
    expect([refused.status, refused.body.error?.code]).to.deep.equal([409, "in_use"]);
    await lab.until("start gate");
    lab.open("gate");
    await going;
    expect(await eventually(async () => ((await revert()).status === 200 ? true : undefined))).to.equal(true);
    expect(existsSync(path.join(folder, "a.txt"))).to.equal(false);
  });

  verifies(
    "changes:remote",
    "by a caller from elsewhere stays below the folders of conversations",
    async () => {
      const letsIn = writePlugin(temporaryFolder(), {
        id: "policy-far",
        kind: "policy",
        provides: { hooks: ["authenticate"] },
        code: 'export default { register(host) { host.tap("authenticate", ({ headers }) => ({ kind: "token", name: "guest", root: null, remote: true, id: headers["x-forwarded-for"], scopes: ["read", "chat", "tools", "approve", "admin"] })); } };',
      });
      const root = temporaryFolder();
      const plugins = [...officialPlugins(), { use: letsIn, isolation: "trusted" }];
      const scene = await openChanges({ plugins, settings: { "workspace.allowed_roots": [root] } });
      try {
        const far = { "x-forwarded-for": "203.0.113.9" };
        const revert = async (id: string) =>
          (await (await scene.host.request("POST", `/api/runs/${id}/revert`, {}, far)).json()) as WireRevert;
        const outside = await scene.run([writing("a.txt", "1")]);
        const seen = async (run: string) => {
          const [change] = (await scene.changes(run)).changes;
          return (await scene.host.request("GET", `/api/changes/${change!.id}/diff`, undefined, far)).status;
        };
        expect(await seen(outside)).to.equal(404);
        const told = await revert(outside);
        expect([told.success, told.reverted]).to.deep.equal([false, []]);
        expect(told.refused[0]?.reason).to.contain("workspace.allowed_roots");
        expect(scene.read("a.txt")).to.equal("1");
        const inside = await scene.run([writing("b.txt", "1")], {
          service_config: { working_directory: root },
        });
        expect(await seen(inside)).to.equal(200);
        expect((await revert(inside)).success).to.equal(true);
        expect(existsSync(path.join(root, "b.txt"))).to.equal(false);
      } finally {
        await scene.end();
      }
    },
  );
});
