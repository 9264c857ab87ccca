import { expect } from "chai";
import { openStage, type Stage } from "../support/host.ts";
import { builtInId, makeText, type WireText } from "../support/prompt-scene.ts";
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

    const ask = <T = WireText>(method: string, path: string, body?: unknown) =>
      stage.host.json<T>(method, path, body);
    const failure = async (method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await ask(method, path, body);
      return [status, answer.error?.code, answer.error?.param].filter((part) => part !== undefined);
    };
    const listOf = async (path: string, field: string) => {
      const { body } = await ask<Readonly<Record<string, readonly WireText[]>> & { readonly count: number }>(
        "GET",
        path,
      );
      return { texts: body[field] ?? [], count: body.count };
    };
    const namesOf = async (path: string, field = "prompts") =>
      (await listOf(path, field)).texts.map(({ name }) => name);

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

    verifies("prompts:personalities", "of manner are there for every category but Custom", async () => {
      const { texts } = await listOf("/api/personalities", "personalities");
      expect(new Set(texts.map(({ category }) => category))).to.deep.equal(
        new Set([
          "General",
          "Creative & Writing",
          "Tech",
          "Productivity",
          "Domain Experts",
          "Fun & Character",
        ]),
      );
      expect(texts[0]).to.include({
        id: builtInId(1),
        name: "Assistant",
        isDefault: true,
        builtIn: true,
        category: "General",
      });
      expect(texts.filter(({ isDefault }) => isDefault)).to.have.lengthOf(1);
      for (const text of texts) {
        expect(text).to.have.all.keys("id", "name", "description", "category", "isDefault", "builtIn");
        const { body } = await ask("GET", `/api/personalities/${text.id}`);
        expect(body).to.have.all.keys([...Object.keys(text), "instructions", "traits"]);
        expect(body.instructions.length).to.be.within(40, 600);
        expect(await failure("DELETE", `/api/personalities/${text.id}`)).to.deep.equal([409, "built_in"]);
        expect(await failure("PATCH", `/api/personalities/${text.id}`, { name: "x" })).to.deep.equal([
          409,
          "built_in",
        ]);
      }
    });

    verifies("prompts:personalities", "of manner are made, read, changed and deleted", async () => {
      const traits = { tone: "dry", teaching_style: "by example", humor: "", unknown: "x" };
      const { status, body: made } = await ask("POST", "/api/personalities", {
        name: "Sage",
        instructions: "Be wise.",
        traits,
      });
      expect(status).to.equal(201);
      const shown = {
        tone: "dry",
        formality: null,
        verbosity: null,
        humor: null,
        teachingStyle: "by example",
      };
      expect(made).to.deep.equal({
        ...{ id: made.id, name: "Sage", instructions: "Be wise.", description: "", category: "Custom" },
        ...{ traits: shown, isDefault: false, builtIn: false },
      });
      const path = `/api/personalities/${made.id}`;
      expect(
        (await ask("PATCH", path, { category: "domain experts", description: "Old" })).body,
      ).to.deep.equal({ success: true });
      expect((await ask("GET", path)).body).to.deep.equal({
        ...made,
        category: "Domain Experts",
        description: "Old",
      });
      await ask("PATCH", path, { traits: { humor: "some" } });
      expect((await ask("GET", path)).body.traits).to.deep.include({ tone: null, humor: "some" });
      expect((await namesOf("/api/personalities", "personalities")).at(-1)).to.equal("Sage");
      expect((await ask("DELETE", path)).body).to.deep.equal({ success: true });
      for (const method of ["GET", "DELETE"])
        expect(await failure(method, path)).to.deep.equal([404, "not_found"]);
    });

    verifies(
      "prompts:limits",
      "that must not be are 400 naming the field, and nothing is stored",
      async () => {
        const long = (length: number) => "é".repeat(length);
        for (const [path, text, most] of [
          ["prompts/system", "content", 100_000],
          ["prompts/mini", "content", 20_000],
          ["custom-instructions", "content", 20_000],
          ["personalities", "instructions", 20_000],
        ] as const) {
          const [field, good] = [path === "personalities" ? path : "prompts", { name: "n", [text]: "t" }];
          const before = await namesOf(`/api/${path}`, field);
          expect(await failure("POST", `/api/${path}`, { [text]: "t" })).to.deep.equal([
            400,
            "missing_field",
            "name",
          ]);
          expect(await failure("POST", `/api/${path}`, { name: "n" })).to.deep.equal([
            400,
            "missing_field",
            text,
          ]);
          for (const wrong of ["", "  \n", 7, null, long(201)])
            expect(await failure("POST", `/api/${path}`, { ...good, name: wrong })).to.deep.equal([
              400,
              "invalid_value",
              "name",
            ]);
          for (const wrong of ["", " ", ["t"], long(most + 1)])
            expect(await failure("POST", `/api/${path}`, { ...good, [text]: wrong })).to.deep.equal([
              400,
              "invalid_value",
              text,
            ]);
          expect(await namesOf(`/api/${path}`, field)).to.deep.equal(before);
          const { id } = await makeText(stage, path, { name: long(200), [text]: long(most) });
          expect(await failure("PATCH", `/api/${path}/${id}`, { name: "ok", [text]: "" })).to.deep.equal([
            400,
            "invalid_value",
            text,
          ]);
          expect((await ask("GET", `/api/${path}/${id}`)).body).to.include({
            name: long(200),
            [text]: long(most),
          });
          await ask("DELETE", `/api/${path}/${id}`);
        }
        const persona = { name: "n", instructions: "t" };
        expect(await failure("POST", "/api/personalities", { ...persona, category: "None" })).to.deep.equal([
          400,
          "invalid_value",
          "category",
        ]);
        expect(
          await failure("POST", "/api/personalities", { ...persona, traits: { tone: 3 } }),
        ).to.deep.equal([400, "invalid_value", "traits.tone"]);
        const order = { name: "n", content: "t", displayOrder: 1.5 };
        expect(await failure("POST", "/api/prompts/mini", order)).to.deep.equal([
          400,
          "invalid_value",
          "displayOrder",
        ]);
        expect(await failure("POST", "/api/prompts/mini", { ...order, displayOrder: 1e12 })).to.deep.equal([
          400,
          "out_of_range",
          "displayOrder",
        ]);
        for (const query of ["limit=0", "limit=1001", "offset=-1"])
          for (const path of ["prompts/system", "prompts/mini", "personalities"])
            expect((await ask("GET", `/api/${path}?${query}`)).status).to.equal(400);
      },
    );

    it("are not found by ids and names that nothing can have", async () => {
      const { system, mini, personalities } = stage.host.services.prompts!;
      for (const name of ["", "\0", "\ud800", "x".repeat(1_000_000), "' OR 1=1", "%"])
        for (const library of [system, mini, personalities])
          expect(await library.find(name)).to.equal(undefined);
      for (const path of ["prompts/system", "prompts/mini", "personalities"])
        for (const id of ["%00", "x", "..%2F..", "%F0%9F%98%80", `${nobody}0`])
          expect(await failure("GET", `/api/${path}/${id}`), id).to.deep.equal([404, "not_found"]);
    });
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
