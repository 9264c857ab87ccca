import { expect } from "chai";
import { openStage, type Stage } from "../support/host.ts";
import { builtInId, makeText, promptsAt } from "../support/prompt-scene.ts";
import { verifies } from "../support/verifies.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const nobody = "11111111-1111-4111-8111-111111111111";
const miniPaths = ["/api/prompts/mini", "/api/mini-prompts", "/api/custom-instructions"];

for (const type of ["memory", "sqlite"] as const)
  describe(`prompts on ${type} storage`, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(undefined, { settings: { storage: { type } } });
    });
    after(() => stage.end());
    const { ask, failure, listOf, namesOf } = promptsAt(() => stage);

    verifies(
      "prompts:system",
      "of the system are there from the start, without their texts in the list",
      async () => {
        const { texts, count } = await listOf("/api/prompts/system", "prompts");
        expect(count).to.equal(3);
        expect(texts.map(({ id, name, isDefault, builtIn }) => [id, name, isDefault, builtIn])).to.deep.equal(
          [
            [builtInId(1), "Default", true, true],
            [builtInId(2), "Autonomous", false, true],
            [builtInId(4), "Minimal", false, true],
          ],
        );
        for (const text of texts)
          expect(text).to.have.all.keys("id", "name", "description", "isDefault", "builtIn");
        for (const [id, word] of [
          [builtInId(1), "default"],
          [builtInId(2), "AUTONOMOUS"],
          [builtInId(4), "minimal"],
        ] as const) {
          const { status, body } = await ask("GET", `/api/prompts/system/${word}`);
          expect([status, body.id, body.content.length > 50]).to.deep.equal([200, id, true]);
          expect((await ask("GET", `/api/prompts/system/${id}`)).body).to.deep.equal(body);
        }
      },
    );

    verifies("prompts:system", "of the system are made, read, changed and deleted", async () => {
      const { status, body: made } = await ask("POST", "/api/prompts/system", {
        name: "Poet",
        content: "Rhyme.",
        description: "Rhymes",
      });
      expect(status).to.equal(201);
      expect(made).to.deep.equal({
        id: made.id,
        name: "Poet",
        content: "Rhyme.",
        description: "Rhymes",
        isDefault: false,
        builtIn: false,
      });
      expect(made.id).to.match(uuid);
      const path = `/api/prompts/system/${made.id.toUpperCase()}`;
      expect((await ask("GET", path)).body).to.deep.equal(made);
      const refused = await ask("PATCH", path, { content: "Rhyme ill.", id: nobody, builtIn: true });
      expect(refused.status).to.equal(400);
      const changed = await ask("PATCH", path, { content: "Rhyme well." });
      expect([changed.status, changed.body]).to.deep.equal([200, { success: true }]);
      expect((await ask("GET", path)).body).to.deep.equal({ ...made, content: "Rhyme well." });
      await makeText(stage, "prompts/system", { name: "actor", content: "Act." });
      expect((await namesOf("/api/prompts/system")).slice(3)).to.deep.equal(["actor", "Poet"]);
      expect(await namesOf("/api/prompts/system?limit=2&offset=2")).to.deep.equal(["Minimal", "actor"]);
      expect(await namesOf("/api/prompts/system?offset=4")).to.deep.equal(["Poet"]);
      expect((await listOf("/api/prompts/system?limit=1", "prompts")).count).to.equal(5);
      const gone = await ask("DELETE", path);
      expect([gone.status, gone.body]).to.deep.equal([200, { success: true }]);
      for (const method of ["GET", "PATCH", "DELETE"])
        expect(await failure(method, path, method === "PATCH" ? { name: "x" } : undefined)).to.deep.equal([
          404,
          "not_found",
        ]);
    });

    verifies("prompts:system", "that are built in stay as they are", async () => {
      const before = (await ask("GET", "/api/prompts/system/default")).body;
      for (const id of [builtInId(1), "default", builtInId(4), "Minimal"]) {
        expect(await failure("PATCH", `/api/prompts/system/${id}`, { content: "x" })).to.deep.equal([
          409,
          "built_in",
        ]);
        expect(await failure("DELETE", `/api/prompts/system/${id}`)).to.deep.equal([409, "built_in"]);
      }
      expect((await ask("GET", "/api/prompts/system/default")).body).to.deep.equal(before);
    });

    verifies(
      ["prompts:mini", "R04"],
      "of the small kind answer alike on all their paths, under both keys",
      async () => {
        for (const [index, path] of miniPaths.entries()) {
          const { status, body: made } = await ask("POST", path, { name: `M${index}`, content: "Be brief." });
          expect(status).to.equal(201);
          expect(made).to.have.all.keys("id", "name", "content", "displayOrder", "createdAt", "modifiedAt");
          expect(made).to.include({ name: `M${index}`, content: "Be brief.", displayOrder: index });
          for (const other of miniPaths) {
            expect((await ask("GET", `${other}/${made.id}`)).body).to.deep.equal(made);
            const { body } = await ask<{ prompts: unknown[]; custom_instructions: unknown[] }>("GET", other);
            expect(body.prompts.at(-1)).to.deep.equal(made);
            expect(body.custom_instructions).to.deep.equal(body.prompts);
          }
          const own = `${miniPaths[(index + 1) % 3]}/${made.id}`;
          expect((await ask("PATCH", own, { content: "Be long." })).body).to.deep.equal({ success: true });
          expect((await ask("GET", own)).body.content).to.equal("Be long.");
        }
        expect(await namesOf("/api/mini-prompts")).to.deep.equal(["M0", "M1", "M2"]);
        const [first] = (await listOf("/api/prompts/mini", "prompts")).texts;
        await ask("PATCH", `/api/prompts/mini/${first?.id}`, { display_order: 99 });
        expect(await namesOf("/api/custom-instructions", "custom_instructions")).to.deep.equal([
          "M1",
          "M2",
          "M0",
        ]);
        expect(await namesOf("/api/prompts/mini?limit=1&offset=1")).to.deep.equal(["M2"]);
        expect(await makeText(stage, "prompts/mini", { name: "last", content: "x" })).to.include({
          displayOrder: 100,
        });
        for (const { id } of (await listOf("/api/prompts/mini", "prompts")).texts)
          expect((await ask("DELETE", `/api/mini-prompts/${id}`)).body).to.deep.equal({ success: true });
        expect(await namesOf("/api/prompts/mini")).to.deep.equal([]);
        for (const path of miniPaths)
          expect(await failure("DELETE", `${path}/${nobody}`)).to.deep.equal([404, "not_found"]);
      },
    );

    verifies(
      "prompts:mini",
      "of the small kind that come at once each get a place of their own",
      async () => {
        const made = await Promise.all(
          [1, 2, 3].map((n) => makeText(stage, "prompts/mini", { name: `p${n}`, content: "x" })),
        );
        expect(made.map(({ displayOrder }) => displayOrder).toSorted()).to.deep.equal([0, 1, 2]);
        const changes = [{ name: "renamed" }, { content: "changed" }, { displayOrder: 7 }];
        await Promise.all(changes.map((change) => ask("PATCH", `/api/prompts/mini/${made[0]?.id}`, change)));
        expect((await ask("GET", `/api/prompts/mini/${made[0]?.id}`)).body).to.include({
          name: "renamed",
          content: "changed",
          displayOrder: 7,
        });
        for (const { id } of made) await ask("DELETE", `/api/prompts/mini/${id}`);
      },
    );
  });

describe("prompts over a restart", () => {
  it("are kept", async () => {
    const stage = await openStage(undefined, { settings: { storage: { type: "sqlite" } } });
    const made = await makeText(stage, "prompts/system", { name: "Poet", content: "Rhyme." });
    await stage.host.restart();
    expect((await stage.host.json("GET", `/api/prompts/system/${made.id}`)).body).to.deep.equal(made);
    await stage.end();
  });
});
