import { mkdirSync } from "node:fs";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import {
  answer,
  approvals,
  calling,
  labCall,
  messagesOf,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  saying,
  type Outcome,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

interface Grant {
  readonly id: string;
  readonly operation: string;
  readonly kind: string;
  readonly paths: readonly string[];
  readonly expiresAt: string | null;
  readonly usesLeft: number | null;
  readonly approvalId: string;
}

describe("grants", () => {
  const outside = temporaryFolder();
  for (const name of ["b", "bc"]) mkdirSync(`${outside}/${name}`);
  let stage: Stage;
  let moved = 0;
  before(async () => {
    const settings = { "authorization.protected_paths": [`${outside}/keys`] };
    stage = await openLab([], { clock: { now: () => Date.now() + moved }, settings });
  });
  beforeEach(() => {
    lab.reset();
    moved = 0;
  });
  after(() => stage.end());

  const grants = async (conversation: string) =>
    (
      await stage.host.json<{ grants: Grant[]; count: number }>(
        "GET",
        `/api/grants?conversationId=${conversation}`,
      )
    ).body.grants;

  /**
   * Lets the model make the calls one by one; every question is answered as given, and none may be left
   * unasked.
   */
  const run = async (
    conversation: string,
    calls: readonly ReturnType<typeof labCall>[],
    ...answers: readonly object[]
  ): Promise<readonly Outcome[]> => {
    const before = (await outcomesOf(stage.host, conversation).catch(() => [])).length;
    const asked = play(stage, [...calls.map((call) => calling(call)), saying("done")], {
      conversationId: conversation,
    });
    let last: Awaited<ReturnType<typeof pendingIn>> | undefined;
    for (const given of answers) {
      last = await pendingIn(stage.host, conversation, last);
      expect((await answer(stage.host, last.toolCallId, given)).status).to.equal(200);
    }
    await asked;
    return (await outcomesOf(stage.host, conversation)).slice(before);
  };
  const request = (operation: string, more: object = {}) => ({
    name: "user_collaboration",
    arguments: { prompt: "May I?", authorize_operation: operation, ...more },
  });
  const codes = (outcomes: readonly Outcome[]) => outcomes.map(({ error_code: code = "ok" }) => code);

  verifies(
    "approval:grants",
    "asked for before the call serve once, and are used up before the effect",
    async () => {
      const fails = labCall("wipe", "1", { fail: "timeout" });
      const [given, , denied] = await run(
        "once",
        [request("LAB.wipe"), fails, labCall("wipe", "2")],
        { approved: true },
        { approved: false },
      );
      expect(given).to.include({ success: true, data: "User response: Approved", decision: "approved" });
      expect(given?.["grantId"]).to.match(/^grt_/);
      expect(denied?.error_code).to.equal("denied");
      expect(lab.log).to.deep.equal(["start 1"]);
      const gate = play(
        stage,
        [calling(request("lab.wipe")), calling(labCall("wipe", "3", { gate: true })), saying("x")],
        {
          conversationId: "gate",
        },
      );
      await answer(stage.host, (await pendingIn(stage.host, "gate")).toolCallId, { userResponse: "yes" });
      await lab.until("start 3");
      expect(await grants("gate")).to.deep.equal([]);
      lab.open("3");
      await gate;
    },
  );

  verifies("approval:grants", "need an operation that exists, and a yes", async () => {
    const [unknown, no] = await run("none", [request("lab.nothing"), request("lab.wipe")], {
      userResponse: "yes, but",
    });
    expect(unknown?.error_code).to.equal("invalid_value");
    expect(no).to.include({ success: false, error_code: "denied" });
    expect(await grants("none")).to.deep.equal([]);
  });

  verifies(
    ["approval:grants", "A06", "A09"],
    "with paths last a time, for these paths, this operation and this conversation",
    async () => {
      const change = (name: string, path: string) => labCall("change", name, { path });
      const outcomes = await run(
        "timed",
        [
          request("lab.change", { paths: [`${outside}/b`] }),
          change("1", `${outside}/b/x`),
          change("2", `${outside}/b`),
        ],
        {
          userResponse: "yes",
        },
      );
      expect(codes(outcomes)).to.deep.equal(["ok", "ok", "ok"]);
      const [grant] = await grants("timed");
      expect(grant).to.deep.include({
        operation: "lab.change",
        kind: "time",
        paths: [`${outside}/b`],
        usesLeft: null,
      });
      expect(Date.parse(grant?.expiresAt ?? "") - Date.now()).to.be.within(290_000, 300_000);
      const ended = (await messagesOf(stage.host, "timed")).filter(({ role }) => role === "tool");
      expect(ended.map(({ toolMetadata }) => toolMetadata?.["allowed_until"])).to.deep.equal([
        undefined,
        grant?.expiresAt,
        grant?.expiresAt,
      ]);
      const others = [
        change("3", `${outside}/bc/x`),
        change("4", `${outside}/b/../bc`),
        labCall("wipe", "5", { path: `${outside}/b/x` }),
      ];
      const refused = await run(
        "timed",
        others,
        { approved: false },
        { approved: false },
        { approved: false },
      );
      expect(codes(refused)).to.deep.equal(["denied", "denied", "denied"]);
      expect(codes(await run("other", [change("6", `${outside}/b/x`)], { approved: false }))).to.deep.equal([
        "denied",
      ]);
      const both = {
        name: "lab",
        arguments: { operation: "move", paths: [`${outside}/b/x`, `${outside}/bc/x`] },
      };
      await run(
        "timed",
        [request("lab.move", { paths: [`${outside}/b`] }), both],
        { approved: true },
        { approved: false },
      );
      expect(lab.log).to.deep.equal(["start 1", "end 1", "start 2", "end 2"]);
    },
  );

  verifies(
    ["approval:grants", "A07"],
    "end in time, and can be given for as long as the person says",
    async () => {
      const change = labCall("change", "x", { path: `${outside}/b/x` });
      await run("minutes", [change], { approved: true, grant: "time", expiresIn: "2m" });
      expect((await grants("minutes"))[0]).to.deep.include({ kind: "time", paths: [`${outside}/b`] });
      moved = 119_000;
      expect(codes(await run("minutes", [change]))).to.deep.equal(["ok"]);
      moved = 121_000;
      expect(await grants("minutes")).to.deep.equal([]);
      expect(codes(await run("minutes", [change], { approved: false }))).to.deep.equal(["denied"]);
      const asked = play(stage, [calling(change), saying("x")], { conversationId: "bad" });
      const { toolCallId } = await pendingIn(stage.host, "bad");
      for (const expiresIn of ["5", "0s", "31d", "1w", "-1m", "1.5h"])
        expect(
          (await answer(stage.host, toolCallId, { approved: true, expiresIn })).status,
          expiresIn,
        ).to.equal(400);
      expect((await answer(stage.host, toolCallId, { approved: true, grant: "always" })).status).to.equal(
        400,
      );
      expect((await approvals(stage.host, "?conversationId=bad"))[0]?.status).to.equal("pending");
      await answer(stage.host, toolCallId, { approved: false });
      await asked;
    },
  );

  verifies("approval:grants", "for a conversation last until they are revoked or it is deleted", async () => {
    const launch = labCall("launch", "x");
    await run("whole", [launch], { approved: true, grant: "conversation" });
    const [grant] = await grants("whole");
    expect(grant).to.deep.include({
      operation: "lab.launch",
      kind: "conversation",
      paths: [],
      expiresAt: null,
      usesLeft: null,
    });
    moved = 40 * 86_400_000;
    expect(codes(await run("whole", [launch]))).to.deep.equal(["ok"]);
    expect((await stage.host.request("DELETE", `/api/grants/${grant?.id ?? ""}`)).status).to.equal(200);
    expect((await stage.host.request("DELETE", `/api/grants/${grant?.id ?? ""}`)).status).to.equal(404);
    expect(codes(await run("whole", [launch], { approved: true, grant: "conversation" }))).to.deep.equal([
      "ok",
    ]);
    await stage.host.request("DELETE", "/v1/conversations/whole");
    expect(await grants("whole")).to.deep.equal([]);
    expect(codes(await run("whole", [launch], { approved: false }))).to.deep.equal(["denied"]);
  });

  verifies("approval:grants", "to run programs serve once unless the answer says more", async () => {
    const outcomes = await run(
      "programs",
      [request("lab.launch", { paths: [outside] }), labCall("launch", "1"), labCall("launch", "2")],
      { approved: true },
      { approved: true },
    );
    expect(codes(outcomes)).to.deep.equal(["ok", "ok", "ok"]);
    expect(await grants("programs")).to.deep.equal([]);
  });

  verifies(["approval:grants", "A06"], "to read one credential open no other", async () => {
    const scan = (name: string) => labCall("scan", name, { path: `${outside}/keys/${name}` });
    const calls = [request("lab.scan", { paths: [`${outside}/keys/one`] }), scan("one"), scan("two")];
    expect(codes(await run("keys", calls, { approved: true }, { approved: false }))).to.deep.equal([
      "ok",
      "ok",
      "denied",
    ]);
    await run(
      "spent",
      [request("lab.scan"), scan("one"), scan("one")],
      { approved: true },
      { approved: false },
    );
    expect(lab.count("start one")).to.equal(2);
  });

  verifies("approval:grants", "of one use serve one of two calls at once", async () => {
    await run("two", [request("lab.wipe")], { approved: true });
    const call = { tool: "lab", arguments: { operation: "wipe", name: "two" }, conversationId: "two" };
    const both = await Promise.all(
      [1, 2].map(() =>
        stage.host.json<{ success: boolean; error_code?: string }>("POST", "/debug/mcp/execute", call),
      ),
    );
    expect(both.map(({ body }) => body.error_code ?? "ok").toSorted()).to.deep.equal([
      "approval_required",
      "ok",
    ]);
    expect(lab.log).to.deep.equal(["start two", "end two"]);
  });
});
