import { expect } from "chai";
import { endpointRequest } from "@pergola/sdk/testing";
import { ask, type Stage } from "../support/host.ts";
import { calling, labCall, openLab, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { topicsAt } from "../support/topic-stage.ts";
import { verifies } from "../support/verifies.ts";

interface Folder {
  readonly id: string;
  readonly name: string;
}

const nobody = "11111111-1111-4111-8111-111111111111";

describe("folders", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { storage: { type: "sqlite" } } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const { json, codeOf, say, detail, patch } = topicsAt(() => stage);
  const make = (body: object) => json<Folder>("POST", "/api/folders", body);
  const list = async (query = "") =>
    (await json<{ folders: readonly Folder[]; count: number }>("GET", `/api/folders${query}`)).body;

  verifies(["folders:records", "C22"], "are made once for a name, listed by it, and changed", async () => {
    const made = await make({ name: " Work ", color: "#aa0000", icon: "briefcase" });
    const { id } = made.body;
    const work = { id, name: "Work", color: "#aa0000", icon: "briefcase", isCollapsed: false };
    expect([made.status, made.body]).to.deep.equal([201, work]);
    const again = await make({ name: "WORK", color: "#0000aa" });
    expect([again.status, again.body]).to.deep.equal([200, work]);
    await make({ name: "art" });
    expect((await list()).folders.map(({ name }) => name)).to.deep.equal(["art", "Work"]);
    expect(await list("?limit=1&offset=1")).to.deep.equal({ folders: [work], count: 2 });
    const changes = { name: "Job", color: null, is_collapsed: true };
    expect(await codeOf("PATCH", `/api/folders/${id}`, { ...changes, id: nobody })).to.deep.equal([
      400,
      "invalid_value",
      "id",
    ]);
    expect((await json("PATCH", `/api/folders/${id.toUpperCase()}`, changes)).body).to.deep.equal({
      success: true,
    });
    expect((await list()).folders.at(-1)).to.deep.equal({
      id,
      name: "Job",
      color: null,
      icon: "briefcase",
      isCollapsed: true,
    });
    expect(await codeOf("PATCH", `/api/folders/${id}`, { name: "Art" })).to.deep.equal([
      409,
      "id_taken",
      "name",
    ]);
    expect(await codeOf("PATCH", `/api/folders/${nobody}`, { name: "x" })).to.deep.equal([404, "not_found"]);
    expect(await codeOf("PATCH", `/api/folders/${id}`, { isCollapsed: "yes" })).to.deep.equal([
      400,
      "invalid_value",
      "isCollapsed",
    ]);
    expect(await codeOf("POST", "/api/folders", { color: "red" })).to.deep.equal([
      400,
      "missing_field",
      "name",
    ]);
    expect(await codeOf("POST", "/api/folders", { name: " " })).to.deep.equal([400, "invalid_value", "name"]);
    expect((await make({ name: "Work" })).status).to.equal(201);
  });

  verifies("folders:records", "are one when many ask for the same name at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => make({ name: index % 2 ? "Rush" : " rush" })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
    expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1);
  });

  verifies(
    ["folders:delete", "conversations:places"],
    "let their conversations go when they are deleted",
    async () => {
      const { id } = (await make({ name: "Short-lived" })).body;
      await say("inside");
      await say("outside");
      const before = await json<{ updated: string }>("GET", "/v1/conversations/inside?messages=false");
      expect((await patch("inside", { folderId: id.toUpperCase() })).body.conversation).to.include({
        folderId: id,
      });
      await json("POST", "/v1/conversations", { id: "made-inside", folder_id: id });
      const count = async () =>
        (await json<{ count: number }>("GET", `/v1/conversations?folderId=${id}`)).body.count;
      expect(await count()).to.equal(2);
      expect((await json("DELETE", `/api/folders/${id}`)).body).to.deep.equal({ success: true });
      expect(await count()).to.equal(0);
      expect(await detail("inside")).to.include({ folderId: null, updated: before.body.updated });
      expect(await detail("made-inside")).to.include({ folderId: null });
      expect(await codeOf("DELETE", `/api/folders/${id}`)).to.deep.equal([404, "not_found"]);
      expect(await codeOf("PATCH", "/v1/conversations/inside", { folderId: id })).to.deep.equal([
        404,
        "not_found",
        "folderId",
      ]);
      expect(await codeOf("POST", "/v1/conversations", { folderId: id })).to.deep.equal([
        404,
        "not_found",
        "folderId",
      ]);
    },
  );

  verifies(
    "folders:delete",
    "let go of a conversation with a run at work, and of more than one commit holds",
    async () => {
      const { id } = (await make({ name: "Large" })).body;
      const { conversations } = stage.host.services;
      for (let index = 0; index < 503; index++)
        await conversations.create(
          { id: `l-${index}`, title: `l-${index}`, folderId: id },
          endpointRequest().caller,
        );
      stage.provider.play([calling(labCall("peek", "held", { gate: true })), saying("Done.")]);
      const asked = json("POST", "/api/chat/completions", ask("Go", { conversationId: "l-7" }));
      await lab.until("start held");
      expect((await json("DELETE", `/api/folders/${id}`)).status).to.equal(200);
      lab.open("held");
      await asked;
      expect(await detail("l-7")).to.include({ folderId: null, title: "l-7" });
      expect((await conversations.list({ folderId: id })).count).to.equal(0);
    },
  );

  verifies("folders:delete", "never keep a conversation that is put into them meanwhile", async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = (await make({ name: `Race ${round}` })).body;
      const [put, deleted] = await Promise.all([
        patch("outside", { folderId: id }),
        json("DELETE", `/api/folders/${id}`),
      ]);
      expect(deleted.status).to.equal(200);
      expect(put.status).to.be.oneOf([200, 404]);
      expect(await detail("outside")).to.include({ folderId: null });
    }
  });
});
