import { expect } from "chai";
import { allChunks, contentOf } from "@pergola/sdk/testing";
import { chat, user } from "../support/chat.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

describe("providers without a network", () => {
  let stage: Stage;
  before(async () => {
    const script = { type: "scripted", script: [{ text: "From the script." }] };
    stage = await openStage(undefined, {
      plugins: officialPlugins(["bundle-standard"]),
      settings: { "providers.list": [script], default_model: "embedded/guide" },
    });
  });
  after(() => stage.end());

  const past = { service_config: { bypass_processing: true } };

  verifies("bypass:as-sent", "read a bypassed request: the guide answers it (C6)", async () => {
    const { status, body } = await chat(stage, {
      model: "embedded/guide",
      messages: [user("hello")],
      ...past,
    });
    const same = await chat(stage, { model: "embedded/guide", messages: [user("hello")] });
    expect(status).to.equal(200);
    expect(body.choices[0]?.message.content).to.equal(same.body.choices[0]?.message.content);
    expect(body.choices[0]?.message.content).to.be.a("string").and.not.contain("I need some words");
    expect(body.usage["prompt_tokens"]).to.be.above(0);
    expect(body.choices[0]?.finish_reason).to.equal("stop");
  });

  verifies("bypass:as-sent", "read its sampling fields too, and stream (C6)", async () => {
    const fields = { model: "embedded/guide", messages: [user("What can you do?")], ...past };
    const { body } = await chat(stage, { ...fields, max_tokens: 2 });
    expect(body.choices[0]?.finish_reason).to.equal("length");
    const answer = await stage.host.request("POST", "/api/chat/completions", { ...fields, stream: true });
    expect(contentOf(await allChunks(answer))).to.have.length.above(20);
  });

  verifies("bypass:as-sent", "read it where a script answers (C6)", async () => {
    const { body } = await chat(stage, { model: "scripted/echo", messages: [user("Repeat me")], ...past });
    expect(body.choices?.[0]?.message.content, JSON.stringify(body)).to.equal("Repeat me");
  });

  verifies("models:list", "list embedding models only when they are asked for (M4)", async () => {
    interface List {
      readonly data: readonly { readonly id: string; readonly model_picker_category: string }[];
      readonly count: number;
    }
    const listed = async (query: string) => (await stage.host.json<List>("GET", `/v1/models${query}`)).body;
    const chats = await listed("");
    expect(chats.data.map(({ id }) => id)).to.include("embedded/guide");
    expect(chats.data.every((model) => model.model_picker_category === "chat")).to.equal(true);
    expect(chats.count).to.equal(chats.data.length);
    const { data } = await listed("?category=embedding");
    expect(data.map(({ id }) => id)).to.deep.equal(["embedded/minilm"]);
  });
});
