import { expect } from "chai";
import { openStage, type Stage } from "../support/host.ts";
import { builtInId, makeText, promptsAt } from "../support/prompt-scene.ts";
import { verifies } from "../support/verifies.ts";

const nobody = "11111111-1111-4111-8111-111111111111";

for (const type of ["memory", "sqlite"] as const)
  describe(`personalities, and what no prompt may be on ${type} storage`, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage(undefined, { settings: { storage: { type } } });
    });
    after(() => stage.end());
    const { ask, failure, listOf, namesOf } = promptsAt(() => stage);

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
