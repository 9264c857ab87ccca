import { expect } from "chai";
import type { AppError, ConversationFields } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { withTextIds } from "../named-texts.ts";

const library = (known: Readonly<Record<string, string>>) => ({
  find: async (wanted: string) => (known[wanted] === undefined ? undefined : { id: known[wanted] }),
});
const parts = {
  prompts: {
    system: library({ poet: "s1" }),
    personalities: library({ sage: "p1" }),
    mini: library({ a: "m1", m1: "m1", b: "m2" }),
  },
} as unknown as Parts;
const bare = {} as Parts;
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
const defaultId = "00000000-0000-0000-0000-000000000001";

describe("the texts that a conversation names", () => {
  it("become ids, each mini prompt once; other fields stay", async () => {
    const fields: ConversationFields = {
      title: "T",
      settings: { temperature: 1, selectedSystemPromptId: "poet", selectedPersonalityId: "sage" },
      enabledCustomInstructionIds: ["b", "a", "m1"],
    };
    expect(await withTextIds(parts, fields)).to.deep.equal({
      title: "T",
      settings: { temperature: 1, selectedSystemPromptId: "s1", selectedPersonalityId: "p1" },
      enabledCustomInstructionIds: ["m2", "m1"],
    });
  });

  it("are none when empty, and nothing is read when none is named", async () => {
    const never = async () => expect.fail("it was read");
    const settings = { selectedSystemPromptId: undefined, temperature: 1 } as never;
    for (const fields of [{}, { title: "T" }, { settings }])
      expect(await withTextIds(parts, fields, never)).to.equal(fields);
    const { settings: emptied } = await withTextIds(parts, { settings: { selectedPersonalityId: "" } });
    expect(emptied).to.have.all.keys("selectedPersonalityId");
    expect(emptied?.selectedPersonalityId).to.equal(undefined);
  });

  it("must be there, or have been named before in the same place", async () => {
    const now = async () => ({
      settings: { selectedSystemPromptId: "gone" },
      enabledCustomInstructionIds: ["lost"],
    });
    const kept = { settings: { selectedSystemPromptId: "gone" }, enabledCustomInstructionIds: ["lost", "a"] };
    expect(await withTextIds(parts, kept, now)).to.deep.equal({
      ...kept,
      enabledCustomInstructionIds: ["lost", "m1"],
    });
    for (const [fields, param] of [
      [{ settings: { selectedSystemPromptId: "other" } }, "selectedSystemPromptId"],
      [{ settings: { selectedPersonalityId: "gone" } }, "selectedPersonalityId"],
      [{ enabledCustomInstructionIds: ["a", "gone"] }, "enabledCustomInstructionIds"],
    ] as const) {
      const error = await failure(withTextIds(parts, fields, now));
      expect([error?.code, error?.param]).to.deep.equal(["not_found", param]);
    }
    expect((await failure(withTextIds(parts, kept)))?.code).to.equal("not_found");
  });

  it("are the defaults alone where no plugin keeps texts", async () => {
    const settings = { selectedSystemPromptId: "default", selectedPersonalityId: defaultId };
    expect((await withTextIds(bare, { settings })).settings).to.deep.equal({
      selectedSystemPromptId: defaultId,
      selectedPersonalityId: defaultId,
    });
    for (const fields of [
      { settings: { selectedSystemPromptId: "minimal" } },
      { enabledCustomInstructionIds: ["a"] },
    ])
      expect((await failure(withTextIds(bare, fields)))?.code).to.equal("not_found");
  });
});
