import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { allChunks, chatReply, contentOf, temporaryFolder } from "@pergola/sdk/testing";
import { chat, sentTurns, storedTurns, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const key = "sk-proj-abcdefghijklmnop0123";
const provider = "a provider key / 7f3a";
const text = `Use ${key}, mail ada@example.org at 192.168.0.17, or say ${provider}.`;

/** What is left of the text at each level of `output.redaction`. */
const levels = {
  off: `Use ${key}, mail ada@example.org at 192.168.0.17, or say [redacted].`,
  secrets: "Use [redacted], mail ada@example.org at 192.168.0.17, or say [redacted].",
  pii: "Use [redacted], mail [redacted] at 192.168.0.17, or say [redacted].",
  strict: "Use [redacted], mail [redacted] at [redacted], or say [redacted].",
};

describe("output.redaction", () => {
  for (const [level, expected] of Object.entries(levels)) {
    describe(level, () => {
      let stage: Stage;
      let first: Stage;

      before(async () => {
        const file = path.join(temporaryFolder(), "key");
        writeFileSync(file, provider);
        const custom = (baseUrl: string) => [
          { type: "custom", base_url: baseUrl, retry_count: 0, api_key: { file } },
        ];
        first = await openStage();
        stage = await openStage(undefined, {
          settings: { "output.redaction": level, "providers.list": custom(first.provider.baseUrl) },
        });
        await first.host.stop();
        await stage.provider.close();
        stage = { ...stage, provider: first.provider };
      });
      after(async () => {
        await stage.end();
        await first.end();
      });

      verifies("A22", "applies to answers and to what is stored", async () => {
        stage.provider.play(chatReply({ text }));
        const { body } = await chat(stage, { messages: [user("Hi")] });
        expect(body.choices[0]?.message.content).to.equal(expected);
        expect(await storedTurns(stage.host, body.service_metadata.conversation_id)).to.deep.equal([
          "user: Hi",
          `assistant: ${expected}`,
        ]);
      });

      verifies("A22", "applies to streams, wherever they are split", async () => {
        for (const size of [1, 5, 17]) {
          stage.provider.play(
            chatReply([{ reasoning: text }, { text: text.match(new RegExp(`.{1,${size}}`, "g")) ?? [] }]),
          );
          const more = { service_config: { thinking: { include_thinking: true } } };
          const answer = await stage.host.request("POST", "/api/chat/completions", {
            model: "test",
            messages: [user("Hi")],
            stream: true,
            ...more,
          });
          const chunks = await allChunks(answer);
          expect(contentOf(chunks), `pieces of ${size}`).to.equal(expected);
          expect(
            chunks
              .map(({ choices }) => (choices?.[0]?.delta["reasoning_content"] as string | undefined) ?? "")
              .join(""),
          ).to.equal(expected);
        }
      });

      verifies("A22", "applies to tool results", async () => {
        const folder = temporaryFolder();
        writeFileSync(path.join(folder, "notes.txt"), text);
        const call = {
          name: "file_operations",
          arguments: { operation: "read_file", filePath: "notes.txt" },
        };
        stage.provider.play([chatReply({ toolCalls: [call] }), chatReply({ text: "Ok." })]);
        await chat(stage, { messages: [user("Hi")], service_config: { working_directory: folder } });
        const result = sentTurns(stage).find((turn) => turn.startsWith("tool:")) ?? "";
        expect(result).to.contain(expected).and.not.contain(provider);
      });
    });
  }
});
