import { expect } from "chai";
import { jsonReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

type Block = Readonly<Record<string, unknown>>;

interface SentBody {
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly thinking?: Block;
}

const message = (stop_reason: string, ...content: readonly Block[]) =>
  jsonReply({
    type: "message",
    role: "assistant",
    content,
    stop_reason,
    usage: { input_tokens: 1000, output_tokens: 5 },
  });
const thought = (words: string): Block => ({
  type: "thinking",
  thinking: words,
  signature: `signed ${words}`,
});
const text = (words: string): Block => ({ type: "text", text: words });
const use = (id: string, name: string): Block => ({
  type: "tool_use",
  id,
  name,
  input: name === "think" ? { thoughts: "hm" } : {},
});
const weather = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: {} } },
};

describe("thoughts that a provider has signed", () => {
  let vendor: MockProviderServer;
  let stage: Stage;

  before(async () => {
    vendor = await mockProviderServer([], { models: ["claude-sonnet-4-5"] });
    const provider = {
      type: "anthropic",
      base_url: vendor.url,
      api_key: { env: "VENDOR_KEY" },
      retry_count: 0,
    };
    stage = await openStage(undefined, {
      environment: { VENDOR_KEY: "sk-ant-test-0123456789" },
      settings: { "providers.list": [provider], default_model: "anthropic/claude-sonnet-4-5" },
    });
  });
  after(async () => {
    await stage.end();
    await vendor.close();
  });

  const chat = (body: object) =>
    stage.host.json("POST", "/api/chat/completions", {
      model: "default",
      reasoning: true,
      max_tokens: 2000,
      ...body,
    });
  const sent = (): SentBody => vendor.requests.at(-1)?.body as SentBody;
  const calling = (): readonly (readonly Block[])[] =>
    sent().messages.flatMap(({ role, content }) => (role === "assistant" ? [content] : []));

  verifies("models:replay", "come back to it with each call of the run", async () => {
    vendor.play([
      message("tool_use", thought("one"), use("a", "think")),
      message("tool_use", thought("two"), text("Still."), use("b", "think")),
      message("end_turn", text("Done.")),
    ]);
    const { status } = await chat({ messages: [{ role: "user", content: "Go" }], conversationId: "replay" });
    expect(status).to.equal(200);
    expect(calling()).to.deep.equal([
      [thought("one"), use("a", "think")],
      [thought("two"), text("Still."), use("b", "think")],
    ]);
    expect(sent().thinking).to.deep.include({ type: "enabled" });
  });

  verifies("models:replay", "come back to it with the result of a caller's tool", async () => {
    const tools = [weather];
    vendor.play([
      message("tool_use", thought("one"), use("w", "weather")),
      message("end_turn", text("Rain.")),
    ]);
    await chat({ messages: [{ role: "user", content: "Weather?" }], conversationId: "caller", tools });
    await chat({
      messages: [{ role: "tool", tool_call_id: "w", content: "rain" }],
      conversationId: "caller",
      tools,
    });
    expect(calling()).to.deep.equal([[thought("one"), use("w", "weather")]]);
    expect(sent().thinking).to.deep.include({ type: "enabled" });
  });

  verifies("models:replay", "are not sent to it in a later turn", async () => {
    vendor.play([message("end_turn", text("Fine."))]);
    await chat({ messages: [{ role: "user", content: "And now?" }], conversationId: "replay" });
    expect(JSON.stringify(sent().messages)).to.not.include("signed");
    expect(sent().thinking).to.deep.include({ type: "enabled" });
  });
});
