import path from "node:path";
import { expect } from "chai";
import type { PackedMessage } from "../package-form.ts";
import { readExport, type Found } from "../reading/read-export.ts";

interface Read {
  readonly title: string | undefined;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  readonly model: string | undefined;
  readonly leftOut: object;
  /** `parent > id role: text`, in their order; the active end has a star. */
  readonly tree: readonly string[];
  readonly messages: readonly PackedMessage[];
}

type FoundConversation = Extract<Found, { readonly kind: "conversation" }>;

function readFound({ pack, leftOut, model }: FoundConversation): Read {
  const { conversation } = pack as {
    conversation: Omit<Read, "tree" | "leftOut"> & { activeMessageId: string };
  };
  const { title, created, updated, messages, activeMessageId } = conversation;
  const tree = messages.map(
    ({ id, parentMessageId, role, content }) =>
      `${parentMessageId ?? ""}>${id ?? ""}${id === activeMessageId ? "*" : ""} ${role}: ${content ?? ""}`,
  );
  return { title, created, updated, model, leftOut: leftOut.counts(), tree, messages };
}

describe("the export of an app", () => {
  const read = async (name: string, from = "auto"): Promise<readonly Read[]> => {
    const file = path.join(import.meta.dirname, "exports", name);
    const all: Read[] = [];
    for await (const found of readExport(file, { from, modelOf: (model) => model }))
      if (found.kind === "conversation") all.push(readFound(found));
    return all;
  };
  const thoughts = ({ messages }: Read): readonly (string | undefined)[] =>
    messages.map(({ reasoningContent }) => reasoningContent);

  it("of ChatGPT is a tree: what is left out is bridged, and thoughts go to their answer", async () => {
    const [fence, ...others] = await read("chatgpt.json");
    expect(others).to.deep.equal([]);
    expect(fence).to.deep.include({
      title: "Paint the fence",
      created: "2023-11-14T22:13:20.250Z",
      updated: "2023-11-14T22:18:20.000Z",
      model: "gpt-5",
      leftOut: { pictures: 1, files: 1, toolSteps: 2, systemPrompts: 1 },
      tree: [
        ">n3 user: [picture left out]\nWhich green is this?\n\n[file left out: plan.pdf]",
        "n3>n7 assistant: It is RAL 6005.",
        "n7>n8 user: How many coats?",
        "n8>n9* assistant: Two coats.",
        "n8>n11 assistant: Three coats.",
        ">n10 user: Which blue is this?",
      ],
    });
    const thought = "Colour\n\nThe picture shows a dark green.";
    const none = undefined;
    expect(thoughts(fence!)).to.deep.equal([none, thought, none, none, none, none]);
    expect(fence?.messages[0]?.timestamp).to.equal("2023-11-14T22:13:21.500Z");
  });

  it("of Claude is a tree, or a list in old ones", async () => {
    const [bread, old] = await read("claude.json");
    expect(bread).to.deep.include({
      title: "Bread",
      created: "2025-03-01T10:00:00.123Z",
      leftOut: { pictures: 1, toolSteps: 2 },
      tree: [
        ">m1 user: How long does it rise?\n\n500 g of flour\n\n[picture left out: dough.jpg]",
        "m1>m2 assistant: Two hours.",
        "m1>m3* assistant: Until it has doubled.",
      ],
    });
    expect(thoughts(bread!)[1]).to.equal("It depends on the yeast.");
    expect(old).to.deep.include({
      title: "An old export, without blocks",
      tree: [">o1 user: An old export,\nwithout blocks", "o1>o2* assistant: And without parents."],
    });
  });

  it("of Open WebUI is a tree, whose answers hold neither thoughts nor calls", async () => {
    const [tomatoes] = await read("open-webui.json");
    expect(tomatoes).to.deep.include({
      title: "Tomatoes",
      created: "2024-03-09T16:00:00.000Z",
      model: "qwen3:8b",
      leftOut: { pictures: 1, toolSteps: 1, systemPrompts: 1 },
      tree: [
        ">q user: When do I sow them?\n\n[picture left out]",
        "q>a assistant: In May.",
        "q>b* assistant: In March, indoors.",
      ],
    });
    expect(thoughts(tomatoes!)[2]).to.equal("Frost & cold.\nSo indoors.");
  });

  it("of LM Studio has the versions of a message as branches", async () => {
    const [knots] = await read("lm-studio.conversation.json");
    expect(knots).to.deep.include({
      title: "Knots",
      created: "2024-09-30T12:40:00.000Z",
      model: "qwen3-8b",
      leftOut: { pictures: 1, toolSteps: 1, systemPrompts: 1 },
      tree: [
        ">0.0 user: Which knot holds?\n\n[picture left out]",
        "0.0>1.0 assistant: A granny knot.",
        "0.0>1.1 assistant: A bowline.",
        "1.1>2.0* user: Thanks.",
      ],
    });
    expect(thoughts(knots!)[2]).to.equal("Not the granny knot.");
    expect(knots?.messages[2]?.timestamp).to.equal("2024-09-30T12:40:09.000Z");
  });

  it("of Jan is put together from the files of a folder", async () => {
    const [bees, ...others] = await read("jan");
    expect(others).to.deep.equal([]);
    expect(bees).to.deep.include({
      title: "Bees",
      created: "2023-11-14T22:13:20.000Z",
      model: "llama3.2-3b",
      leftOut: { pictures: 1, toolSteps: 1, systemPrompts: 1 },
      tree: [">0 user: Do bees sleep?\n\n[picture left out]", "0>1* assistant: Yes, at night."],
    });
    expect(thoughts(bees!)[1]).to.equal("They rest.");
  });

  it("is known by its items: a folder may hold those of several apps", async () => {
    const titles = async (from?: string) => (await read("", from)).map(({ title }) => title).sort();
    expect(await titles()).to.deep.equal(
      ["An old export, without blocks", "Bees", "Bread", "Knots", "Paint the fence", "Tomatoes"].sort(),
    );
    expect(await titles("claude")).to.deep.equal(["An old export, without blocks", "Bread"]);
  });
});
