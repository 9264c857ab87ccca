import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { allChunks, chatReply, contentOf, temporaryFolder } from "@pergola/sdk/testing";
import { chat, detailOf, sentBody, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const marker = '<!--session:{"title":"Tea and time"}-->';

describe("a chat request's settings", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));

  const messages = [user("Please help me with the tax return")];
  const send = async (body: object) => {
    const { status, body: answer } = await chat(stage, { messages, ...body });
    expect(status, JSON.stringify(answer)).to.equal(200);
    return detailOf(stage.host, answer.service_metadata.conversation_id);
  };
  const rename = (id: string, title: string) =>
    stage.host.json("PATCH", `/v1/conversations/${id}`, { title });

  describe("the title", () => {
    verifies("chat:title", "names a new conversation, and gets a number where it is taken", async () => {
      expect((await send({ service_config: { conversation_title: "Taxes" } })).title).to.equal("Taxes");
      const second = await send({ service_config: { conversation_title: "Taxes" } });
      expect(second.title).to.equal("Taxes (2)");
      expect(
        (await send({ conversationId: second.id, service_config: { conversation_title: "Other" } })).title,
      ).to.equal("Taxes (2)");
    });

    verifies("C24", "that the person set is never changed", async () => {
      const { id } = await send({ service_config: { conversation_title: "Taxes of mine" } });
      stage.provider.play(chatReply({ text: `Hello.${marker}` }));
      expect((await send({ conversationId: id })).title).to.equal("Taxes of mine");
      await rename(id, "New Conversation about taxes");
      expect((await send({ conversationId: id })).title).to.equal("New Conversation about taxes");
    });

    verifies(["C23", "C24"], "of the model is taken from its marker, which nobody sees", async () => {
      stage.provider.play(
        chatReply({ text: ["Hello. <!--ses", 'sion:{"title":"Tea and', ' time"}--', ">Bye."] }),
      );
      const { body } = await chat(stage, { messages });
      expect(body.choices[0]?.message.content).to.equal("Hello. Bye.");
      const {
        title,
        id,
        messages: stored,
      } = await detailOf(stage.host, body.service_metadata.conversation_id);
      expect(title).to.equal("Tea and time");
      expect(stored.at(-1)?.content).to.equal("Hello. Bye.");
      await rename(id, "My own");
      stage.provider.play(chatReply({ text: marker }));
      expect((await send({ conversationId: id })).title).to.equal("My own");
    });

    it("of a first message in parts is made from its text", async () => {
      const parts = [
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "text", text: "Could you describe this cat" },
      ];
      expect((await send({ messages: [user(parts)] })).title).to.equal("Describe this cat");
    });
  });

  describe("the working directory", () => {
    verifies("chat:working-directory", "is the conversation's from then on", async () => {
      const folder = temporaryFolder("pergola-wd-");
      const { id, workingDirectory } = await send({ service_config: { working_directory: folder } });
      expect(workingDirectory).to.equal(folder);
      expect(JSON.stringify(sentBody(stage).messages)).to.contain(folder);
      expect((await send({ conversationId: id })).workingDirectory).to.equal(folder);
      const other = temporaryFolder("pergola-wd-");
      expect(
        (await send({ conversationId: id, service_config: { workingDirectory: other } })).workingDirectory,
      ).to.equal(other);
    });

    verifies("chat:working-directory", "is checked before anything happens", async () => {
      for (const working_directory of [
        "relative",
        "/",
        stage.host.dataDirectory,
        path.join(stage.host.dataDirectory, "secrets"),
        "/a\0b",
        "/etc/hostname",
      ]) {
        const { status, body } = await chat(stage, { messages, service_config: { working_directory } });
        expect([status, body.error.code], working_directory).to.deep.equal([400, "invalid_value"]);
        expect(body.error.param).to.contain("working_directory");
      }
    });

    verifies("merge:refused", "is not made for a request that fails", async () => {
      const folders = path.join(stage.host.dataDirectory, "workspaces");
      const title = "A folder of its own";
      stage.provider.play(chatReply({ error: { status: 500 } }));
      await chat(stage, {
        messages,
        conversationId: "dddddddd-0000-4000-8000-000000000001",
        service_config: { conversation_title: title },
      });
      expect(existsSync(path.join(folders, "a-folder-of-its-own-dddddddd"))).to.equal(false);
    });
  });

  describe("what is not there", () => {
    it("as a topic for memory is 400 naming the field", async () => {
      const { status, body } = await chat(stage, {
        messages,
        service_config: { memory_collection_id: "nobody" },
      });
      expect([status, body.error.code, body.error.param]).to.deep.equal([
        400,
        "invalid_value",
        "service_config.memory_collection_id",
      ]);
    });

    it("as prompt, personality or instruction is ignored with a warning, in both modes", async () => {
      const more = { system_prompt_id: "none", personality_id: "no one", custom_instructions: ["nothing"] };
      const { body } = await chat(stage, { messages, ...more });
      expect(body.service_metadata.warnings.length).to.equal(3);
      for (const word of ["none", "no one", "nothing"])
        expect(body.service_metadata.warnings.join("\n")).to.contain(`"${word}"`);
      const chunks = await allChunks(
        await stage.host.request("POST", "/api/chat/completions", {
          model: "default",
          messages,
          ...more,
          stream: true,
        }),
      );
      expect((chunks.at(-1) as unknown as ChatAnswer).service_metadata.warnings).to.deep.equal(
        body.service_metadata.warnings,
      );
    });
  });

  verifies("C20", "bring their conversation to the front of the list", async () => {
    const [one, two] = [await send({}), await send({})];
    const first = async () =>
      (
        await stage.host.json<{ conversations: readonly { id: string; updated: string }[] }>(
          "GET",
          "/v1/conversations?limit=1",
        )
      ).body.conversations[0];
    expect((await first())?.id).to.equal(two.id);
    const after = await send({ conversationId: one.id });
    expect((await first())?.id).to.equal(one.id);
    expect(after.updated > one.updated).to.equal(true);
  });

  verifies("W14", "never put the injected facts into an answer or into the store", async () => {
    stage.provider.play([
      chatReply({ toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] }),
      chatReply({ text: "Done." }),
    ]);
    const answer = await stage.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages,
      stream: true,
    });
    const id = answer.headers.get("x-conversation-id") ?? "";
    const chunks = await allChunks(answer);
    expect(contentOf(chunks)).to.equal("Done.");
    expect(JSON.stringify(sentBody(stage).messages)).to.contain("<context>");
    expect(JSON.stringify(chunks)).to.not.contain("<context>");
    expect(JSON.stringify(await detailOf(stage.host, id))).to.not.contain("<context>");
  });

  verifies("C25", "end with their conversation when it is deleted during the run", async () => {
    stage.provider.play(chatReply([{ text: "One" }, { hang: true }]));
    const answer = await stage.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages,
      stream: true,
    });
    const [id, run] = [answer.headers.get("x-conversation-id") ?? "", answer.headers.get("x-run-id") ?? ""];
    const asked = await stage.provider.request(stage.provider.requests.length - 1);
    expect((await stage.host.json("DELETE", `/v1/conversations/${id}`)).status).to.equal(200);
    expect(await asked.outcome).to.equal("aborted");
    const last = (await allChunks(answer)).at(-1) as unknown as ChatAnswer;
    expect(last.service_metadata.workflow["completion_reason"]).to.equal("cancelled");
    expect((await stage.host.json("GET", `/v1/conversations/${id}`)).status).to.equal(404);
    expect((await stage.host.json<{ status: string }>("GET", `/api/runs/${run}`)).body.status).to.equal(
      "ended",
    );
  });
});

describe("models", () => {
  verifies(
    ["C17", "C18"],
    "with slashes in their names are fetched, plain and encoded, with and without prefix",
    async () => {
      const stage = await openStage(undefined, {
        settings: {
          "providers.list": [
            { type: "custom", base_url: "http://127.0.0.1:9/v1", models: ["maker/model-1"], retry_count: 0 },
          ],
        },
      });
      for (const id of [
        "custom/maker/model-1",
        "custom%2Fmaker%2Fmodel-1",
        "maker/model-1",
        "maker%2Fmodel-1",
      ]) {
        const { status, body } = await stage.host.json<{ id: string }>("GET", `/api/models/${id}`);
        expect([status, body.id], id).to.deep.equal([200, "custom/maker/model-1"]);
      }
      await stage.end();
    },
  );

  verifies("C19", "are none when every provider fails", async () => {
    const stage = await openStage(undefined, {
      settings: { "providers.list": [{ type: "custom", base_url: "http://127.0.0.1:9/v1", retry_count: 0 }] },
    });
    const { status, body } = await stage.host.json("GET", "/api/models");
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      object: "list",
      data: [],
      models: [],
      count: 0,
      has_more: false,
      first_id: null,
      last_id: null,
    });
    await stage.end();
  });
});
