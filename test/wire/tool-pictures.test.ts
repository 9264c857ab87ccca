import { expect } from "chai";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { calling, play, saying, messagesOf, outcomesOf, sentTo } from "../support/lab-stage.ts";
import { sample } from "../../plugins/bridge-mcp-client/test/collect.ts";
import { verifies } from "../support/verifies.ts";

const url = `data:image/png;base64,${Buffer.from("pixels").toString("base64")}`;
const picture = calling({ name: "mcp_sample", arguments: { operation: "picture" } });

describe("pictures that a tool returns (T17)", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, {
      plugins: officialPlugins(),
      settings: {
        mcp: { servers: { sample: sample({ effects: { "*": "read" } }) } },
        "models.overrides": {
          "custom/test": { supportsTools: true },
          "custom/sees": { supportsTools: true, supportsVision: true },
        },
      },
    });
  });
  after(() => stage.end());

  /** What the model was sent behind the call. */
  const answers = (index: number) => {
    const messages = sentTo(stage.provider, index);
    return messages.slice(messages.findIndex(({ role }) => role === "tool"));
  };

  verifies("tools:pictures", "are shown to a model that can see, behind the results as text", async () => {
    const more = { model: "custom/sees", conversationId: "seen" };
    await play(stage, [picture, saying("Pixels.")], more);
    const [result, shown, ...others] = answers(-1);
    expect(JSON.parse(result?.content ?? "")).to.include({ success: true });
    expect(result?.content).to.include("saved as mcp/");
    expect(shown).to.deep.equal({
      role: "user",
      content: [
        { type: "text", text: "Pictures from mcp_sample:" },
        { type: "image_url", image_url: { url } },
      ],
    });
    expect(others).to.deep.equal([]);
    const [outcome] = await outcomesOf(stage.host, "seen");
    expect(outcome?.success, "the stored result stays text").to.equal(true);
  });

  verifies(
    "tools:pictures",
    "stay with the conversation, and models that cannot see read the text",
    async () => {
      await play(stage, [saying("Hello.")], { model: "custom/test", conversationId: "seen" }, "And you?");
      expect(JSON.stringify(sentTo(stage.provider, -1)))
        .to.include("saved as mcp/")
        .and.not.include(url);
      await play(stage, [saying("Hello.")], { model: "custom/sees", conversationId: "seen" }, "And again?");
      expect(JSON.stringify(sentTo(stage.provider, -1))).to.include(url);
    },
  );

  verifies("tools:pictures", "are not stored for a model that cannot see", async () => {
    await play(stage, [picture, saying("Saved.")], { model: "custom/test", conversationId: "blind" });
    expect(answers(-1).map(({ role }) => role)).to.deep.equal(["tool"]);
    expect(JSON.stringify(await messagesOf(stage.host, "blind"))).not.to.include("image_url");
  });
});
