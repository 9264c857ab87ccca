import { expect } from "chai";
import {
  collectEvents,
  describeProvider,
  jsonReply,
  mockProviderServer,
  providerDoor,
  providerSettings,
  textOfEvents,
  type MockRequest,
} from "@pergola/sdk/testing";
import { parley } from "../index.ts";
import { parleyReply } from "./parley-reply.ts";

const never = (): AbortSignal => new AbortController().signal;
const voices = jsonReply({ voices: ["alto", "bass"] });

/** A vendor that lists two voices, and a provider that is opened as the host would. */
async function openBench(answer: Parameters<typeof parleyReply>[0]) {
  const server = await mockProviderServer(({ method }) => (method === "GET" ? voices : parleyReply(answer)));
  const provider = await parley.open(
    providerSettings({ baseUrl: server.baseUrl, apiKey: "a key" }),
    providerDoor(),
  );
  return { server, provider };
}

describeProvider(
  "parley",
  async (turn) => {
    const { server, provider } = await openBench(turn);
    return {
      provider,
      requestReceived: () => server.request(0),
      connectionClosed: async () => (await server.request(0)).outcome,
      close: () => server.close(),
    };
  },
  { plays: ["text", "usage", "errors", "hang"] },
);

describe("parley", () => {
  it("sends the conversation in Parley's words, and tells what it cannot send", async () => {
    const { server, provider } = await openBench({ text: "Good day." });
    const sampling = { temperature: 0.5, maxTokens: 9, topP: 1, seed: 7 };
    const messages = [{ role: "user", content: "Hello" }] as const;
    const { events } = await collectEvents(
      provider.stream({ model: "alto", messages, tools: [], sampling, defaultedSampling: ["topP"] }, never()),
    );
    expect(textOfEvents(events)).to.equal("Good day.");
    expect(events[0]).to.deep.equal({ type: "warning", text: "seed was left out: Parley does not take it" });
    const { path, headers, body }: MockRequest = await server.request(0);
    expect([path, headers["x-parley-key"]]).to.deep.equal(["/v1/talk", "a key"]);
    expect(body).to.deep.equal({
      voice: "alto",
      turns: [{ by: "guest", words: "Hello" }],
      warmth: 0.5,
      most: 9,
    });
    await server.close();
  });

  it("asks nothing without a key", async () => {
    const provider = await parley.open(providerSettings({ baseUrl: "http://127.0.0.1:9" }), providerDoor());
    const failure: unknown = await provider.listModels(never()).catch((error: unknown) => error);
    expect((failure as Error).message).to.include("PARLEY_API_KEY");
  });
});
