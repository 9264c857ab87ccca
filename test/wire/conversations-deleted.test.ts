import { existsSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  approvals,
  calling,
  eventually,
  labCall,
  openLab,
  pendingIn,
  play,
  saying,
  type ChatAnswer,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { type Detail } from "./conversations-scene.ts";

describe("conversations that are deleted", () => {
  let stage: Stage;
  let now = Date.parse("2026-01-01T00:00:00Z");
  before(async () => {
    stage = await openLab([], { clock: { now: () => (now += 1000) } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());
  const detail = async (id: string) =>
    (await stage.host.json<Detail>("GET", `/v1/conversations/${encodeURIComponent(id)}`)).body;
  const say = (conversationId: string, text = "Do it") =>
    play(stage, [saying("Well.")], { conversationId }, text);

  verifies(
    ["conversations:delete", "C25"],
    "are deleted with all that belongs to them, their run first",
    async () => {
      lab.texts.set("big", "x".repeat(20_000));
      await play(stage, [calling(labCall("peek", "big")), saying("Done.")], { conversationId: "gone" });
      const { resultId } = JSON.parse((await detail("gone")).messages[2]?.content ?? "") as {
        resultId: string;
      };
      const todos = async (conversationId: string) =>
        (await stage.host.services.todos?.list(conversationId)) ?? [];
      const todoList = [{ id: 1, title: "Leave no trace", status: "not-started" }];
      const { id } = await detail("gone");
      await stage.host.json("POST", "/debug/mcp/execute", {
        tool: "todo_operations.write",
        arguments: { todoList },
        conversationId: "gone",
      });
      expect(await todos(id)).to.deep.equal(todoList);
      stage.provider.play([calling(labCall("launch", "x")), saying("Done.")]);
      const asked = stage.host.json<ChatAnswer>(
        "POST",
        "/api/chat/completions",
        ask("Go", { conversationId: "gone" }),
      );
      const shown = await pendingIn(stage.host, "gone");
      const { status, body } = await stage.host.json<{ success: boolean; conversationId: string }>(
        "DELETE",
        "/v1/conversations/gone",
      );
      const { conversationId } = shown;
      const inItsFormat = { id: conversationId, object: "conversation.deleted", deleted: true };
      expect([status, body]).to.deep.equal([200, { success: true, conversationId, ...inItsFormat }]);
      expect((await asked).body.service_metadata.workflow.completion_reason).to.equal("cancelled");
      expect((await stage.host.json("GET", "/v1/conversations/gone")).status).to.equal(404);
      expect((await stage.host.json("DELETE", "/v1/conversations/gone")).status).to.equal(404);
      expect(await todos(id)).to.deep.equal([]);
      expect((await stage.host.json("GET", `/api/tool_result?resultId=${resultId}`)).status).to.equal(404);
      expect(await approvals(stage.host, `?status=all&conversationId=gone`)).to.deep.equal([]);
      await say("gone", "Who are you?");
      expect((await detail("gone")).messages.map(({ content }) => content)).to.deep.equal([
        "Who are you?",
        "Well.",
      ]);
      expect(lab.log).to.not.include("start x");
    },
  );

  verifies(
    ["conversations:delete", "C25"],
    "are not revived by a run, nor by a call by hand that waits",
    async () => {
      stage.provider.play([calling(labCall("keep", "deaf", { gate: true, deaf: true })), saying("Done.")]);
      const first = stage.host.json<ChatAnswer>(
        "POST",
        "/api/chat/completions",
        ask("Go", { conversationId: "revived" }),
      );
      await lab.until("start deaf");
      const second = stage.host.json<ChatAnswer>(
        "POST",
        "/api/chat/completions",
        ask("And then", { conversationId: "revived" }),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      stage.provider.play(saying("Anew."));
      expect((await stage.host.request("DELETE", "/v1/conversations/revived")).status).to.equal(200);
      lab.open("deaf");
      await first;
      expect((await second).body.choices[0]?.message.content).to.equal("Anew.");
      expect((await detail("revived")).messages.map(({ content }) => content)).to.deep.equal([
        "And then",
        "Anew.",
      ]);
      const call = {
        tool: "lab.wipe",
        arguments: { name: "waits" },
        conversationId: "revived",
        waitSeconds: 5,
      };
      const waiting = stage.host.json<{ error_code: string }>("POST", "/debug/mcp/execute", call);
      await pendingIn(stage.host, "revived");
      await stage.host.request("DELETE", "/v1/conversations/revived");
      expect((await waiting).body.error_code).to.equal("cancelled");
      expect((await stage.host.request("GET", "/v1/conversations/revived")).status).to.equal(404);
    },
  );

  verifies("conversations:delete", "leave files, unless their own folder is asked for", async () => {
    const mine = temporaryFolder();
    writeFileSync(`${mine}/kept.txt`, "x");
    const folders: string[] = [];
    for (const [id, config] of [
      ["kept", {}],
      ["dropped", {}],
      ["mine", { working_directory: mine }],
    ] as const) {
      await play(
        stage,
        [calling({ name: "write_file", arguments: { filePath: "a.txt", content: "x" } }), saying("ok")],
        {
          conversationId: id,
          service_config: config,
        },
      );
      folders.push((await detail(id)).workingDirectory);
      expect(existsSync(`${folders.at(-1) ?? ""}/a.txt`)).to.equal(true);
      await stage.host.request(
        "DELETE",
        `/v1/conversations/${id}${id === "kept" ? "" : "?deleteFiles=true"}`,
      );
    }
    expect(folders.map((folder) => existsSync(`${folder}/a.txt`))).to.deep.equal([true, false, true]);
    await eventually(() => !existsSync(folders[1] ?? "") || undefined);
  });
});
