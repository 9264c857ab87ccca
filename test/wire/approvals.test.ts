import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { allChunks, temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  calling,
  labCall,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  runOf,
  runWith,
  saying,
  type WireApproval,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { wiping } from "./approvals-scene.ts";

describe("approvals", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { "authorization.protected_paths": ["/nowhere/keys"] } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  /** Asks for a destructive call in a conversation of that name, and answers it. */
  const wipe = async (name: string, ...answers: readonly object[]) => {
    const asked = play(stage, wiping(name), { conversationId: name });
    const { toolCallId } = await pendingIn(stage.host, name);
    const given = [];
    for (const each of answers) given.push(await answer(stage.host, toolCallId, each));
    return { ...(await asked), given, toolCallId, outcome: (await outcomesOf(stage.host, name)).at(-1) };
  };

  verifies(
    ["approval:blocks", "A03", "R12"],
    "block the call, are listed and streamed, and let it run as shown",
    async () => {
      const secret = "sk-abcdef0123456789abcdef";
      stage.provider.play([calling(labCall("wipe", "all", { times: 3, parts: [secret] })), saying("done")]);
      const body = ask("Do it", { conversationId: "blocks", stream: true });
      const streamed = stage.host.request("POST", "/api/chat/completions", body).then(allChunks);
      const shown = await pendingIn(stage.host, "blocks");
      expect(shown).to.include({
        kind: "approval",
        tool: "lab",
        operation: "wipe",
        effect: "destructive",
        status: "pending",
        decision: null,
      });
      expect(shown.arguments).to.deep.equal({
        name: "all",
        times: 3,
        parts: ["[redacted]"],
        gate: false,
        deaf: false,
      });
      expect(shown.id).to.match(/^apr_[0-9a-f]{32}$/);
      const keys =
        "id toolCallId runId conversationId kind tool operation arguments paths effect reason prompt context authorize_operation options preview status decision answer createdAt expiresAt answeredAt askedBy answeredBy";
      expect(shown).to.have.all.keys(keys.split(" "));
      const run = await runWith(stage.host, "blocks", "waiting");
      expect([run.id, run.pendingToolCallIds]).to.deep.equal([shown.runId, [shown.toolCallId]]);
      expect(lab.log).to.deep.equal([]);
      const got = await answer(stage.host, shown.toolCallId, { approved: true, conversationId: "blocks" });
      expect([got.status, got.body.status, got.body.decision]).to.deep.equal([200, "answered", "approved"]);
      const chunks = await streamed;
      const events = chunks.flatMap(
        ({ event, toolStatus }) => event?.type ?? (toolStatus as string | undefined) ?? [],
      );
      expect(events).to.deep.equal([
        "userInputRequired",
        "user_input_required",
        "user_input_resolved",
        "running",
        "success",
        "title",
      ]);
      const question = chunks.find(({ event }) => event?.type === "user_input_required")?.event;
      expect(question).to.include({
        toolCallId: shown.toolCallId,
        approvalId: shown.id,
        runId: run.id,
        conversationId: run.conversationId,
      });
      expect(JSON.stringify(chunks)).to.not.include(secret);
      expect(lab.log).to.deep.equal(["start all", "end all"]);
      expect((await runOf(stage.host, "blocks")).pendingToolCallIds).to.deep.equal([]);
      const [kept] = await approvals(stage.host, `?status=answered&conversationId=blocks`);
      expect(kept).to.include({ id: shown.id, status: "answered", decision: "approved" });
      expect(await approvals(stage.host, `?status=all&runId=${run.id}`)).to.have.lengthOf(1);
      expect(await approvals(stage.host, `?runId=${run.id}`)).to.have.lengthOf(0);
      const one = await stage.host.json<WireApproval>("GET", `/api/approvals/${shown.toolCallId}`);
      expect([one.status, one.body.id]).to.deep.equal([200, shown.id]);
    },
  );

  verifies(
    "approval:blocks",
    "leave the run running while something else goes on, and while the approved call works",
    async () => {
      const asks = { name: "lab", arguments: { operation: "scan", name: "key", path: "/nowhere/keys/id" } };
      const asked = play(stage, [calling(asks, labCall("peek", "busy", { gate: true })), saying("done")], {
        conversationId: "busy",
      });
      const { toolCallId } = await pendingIn(stage.host, "busy");
      await lab.until("start busy");
      expect(await runOf(stage.host, "busy")).to.deep.include({
        status: "running",
        pendingToolCallIds: [toolCallId],
      });
      lab.open("busy");
      await runWith(stage.host, "busy", "waiting");
      await answer(stage.host, toolCallId, { approved: false });
      await asked;
      const works = play(stage, [calling(labCall("wipe", "slow", { gate: true })), saying("done")], {
        conversationId: "works",
      });
      await answer(stage.host, (await pendingIn(stage.host, "works")).toolCallId, { approved: true });
      await lab.until("start slow");
      expect(await runOf(stage.host, "works")).to.deep.include({ status: "running", pendingToolCallIds: [] });
      lab.open("slow");
      await works;
    },
  );

  verifies(
    ["approval:exact-words", "A01", "A02"],
    "approve by exact words only, or by the boolean",
    async () => {
      const yes = [
        "yes",
        " Y ",
        "OK.",
        "okay!",
        "approve",
        "Approved",
        "allow",
        "confirm",
        "proceed",
        "Go ahead!.",
      ];
      const no = [
        "no way",
        "not okay",
        "nobody",
        "no, yes is wrong",
        "yes please",
        "yes?",
        "go  ahead",
        "",
        "n",
        "stop",
        "y e s",
        "да",
      ];
      const decided = async (word: string) => {
        const body = word === "" ? { userResponse: "" } : { userResponse: word };
        const { given } = await wipe(`word ${word}`, body);
        return given[0]?.body.decision;
      };
      const all = [...yes, ...no];
      const decisions: (string | undefined)[] = [];
      for (const word of all) decisions.push(await decided(word));
      expect(decisions).to.deep.equal([...yes.map(() => "approved"), ...no.map(() => "denied")]);
      expect(lab.log.filter((line) => line.startsWith("start"))).to.have.lengthOf(yes.length);
      const wins = [
        await wipe("wins 1", { approved: false, userResponse: "yes" }),
        await wipe("wins 2", { approved: true, userResponse: "no" }),
      ];
      expect(wins.map(({ given }) => given[0]?.body.decision)).to.deep.equal(["denied", "approved"]);
    },
  );

  describe("bound to files (S11)", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "notes.txt");
    const call = (conversationId: string) => {
      writeFileSync(file, "as shown");
      const wanted = { name: "lab", arguments: { operation: "wipe", name: conversationId, path: file } };
      return play(stage, [calling(wanted), saying("done")], { conversationId });
    };

    it("S11: ask again when a file was replaced between question and yes", async () => {
      const asked = call("replaced");
      const first = await pendingIn(stage.host, "replaced");
      writeFileSync(file, "something else");
      await answer(stage.host, first.toolCallId, { approved: true });
      const second = await pendingIn(stage.host, "replaced", first);
      expect(second.reason).to.include("changed since it was shown");
      expect(lab.log).to.deep.equal([]);
      await answer(stage.host, second.toolCallId, { approved: true });
      await asked;
      expect(lab.log).to.deep.equal(["start replaced", "end replaced"]);
    });

    it("S11: run nothing when it changes each time", async () => {
      const asked = call("flips");
      let last: WireApproval | undefined;
      for (const content of ["second", "third"]) {
        last = await pendingIn(stage.host, "flips", last);
        writeFileSync(file, content);
        await answer(stage.host, last.toolCallId, { approved: true });
      }
      await asked;
      expect((await outcomesOf(stage.host, "flips")).at(-1)?.error_code).to.equal("permission_denied");
      expect(lab.log).to.deep.equal([]);
    });

    it("S11: stop where the same text stands in another file put in its place", async () => {
      const asked = call("swapped");
      const first = await pendingIn(stage.host, "swapped");
      writeFileSync(`${file}.new`, "as shown");
      renameSync(`${file}.new`, file);
      await answer(stage.host, first.toolCallId, { approved: true });
      const second = await pendingIn(stage.host, "swapped", first);
      await answer(stage.host, second.toolCallId, { approved: false });
      await asked;
      expect(lab.log).to.deep.equal([]);
    });
  });

  it("S17: show control and turning characters in every form that leaves the service", async () => {
    const evil = "safe\u001b[2K\r\u202egnp.exe\u{e0041}";
    const seen = "safe␛[2K␍\\u{202e}gnp.exe\\u{e0041}";
    stage.provider.play([calling(labCall("wipe", evil)), saying("done")]);
    const body = ask("Do it", { conversationId: "hidden", stream: true });
    const streamed = stage.host.request("POST", "/api/chat/completions", body).then(allChunks);
    const listed = await pendingIn(stage.host, "hidden");
    expect(listed.arguments["name"]).to.equal(seen);
    await answer(stage.host, listed.toolCallId, { approved: true });
    const question = (await streamed).find(({ event }) => event?.type === "user_input_required")?.event;
    expect(JSON.stringify(question)).to.not.match(/\\u001b|\u202e|\u{e0041}/u);
    expect(lab.log).to.deep.equal([`start ${evil}`, `end ${evil}`]);
  });
});
