import { expect } from "chai";
import {
  chatReply,
  cutReply,
  directFetch,
  jsonReply,
  mockProviderServer,
  splitReply,
  type MockProviderServer,
} from "@pergola/sdk/testing";

describe("mockProviderServer()", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  const post = (body = "{}", signal?: AbortSignal) =>
    directFetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { "x-test": "1" },
      body,
      ...(signal === undefined ? {} : { signal }),
    });

  it("sends a turn as chunks, usage and [DONE]", async () => {
    server.play(chatReply([{ text: "Hi" }, { usage: { promptTokens: 3, completionTokens: 1 } }]));
    const frames = (await (await post()).text())
      .split("\n\n")
      .filter((line) => line !== "")
      .map((line) => line.replace("data: ", ""));
    expect(frames.at(-1)).to.equal("[DONE]");
    const chunks = frames
      .slice(0, -1)
      .map(
        (line) =>
          JSON.parse(line) as { choices: { delta: object; finish_reason: string | null }[]; usage?: object },
      );
    expect(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))).to.deep.equal([
      { role: "assistant", content: "" },
      { content: "Hi" },
      {},
    ]);
    expect(chunks.at(-1)?.usage).to.deep.equal({ prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 });
  });

  it("records what came, and how it went", async () => {
    server.play(jsonReply({}));
    await (await post('{"model":"x"}')).text();
    const request = await server.request(0);
    expect(request).to.deep.include({
      method: "POST",
      path: "/v1/chat/completions",
      text: '{"model":"x"}',
      body: { model: "x" },
    });
    expect(request.headers).to.include({ "x-test": "1" });
    expect(await request.outcome).to.equal("answered");
  });

  it("waits in the middle of an answer until it is let go on", async () => {
    let proceed = (): void => undefined;
    const until = new Promise<void>((resolve) => (proceed = resolve));
    server.play({ body: ["one", { until }, " two"] });
    const { body } = await post();
    const pieces: string[] = [];
    for await (const piece of body) {
      pieces.push(new TextDecoder().decode(piece));
      proceed();
    }
    expect(pieces).to.deep.equal(["one", " two"]);
  });

  it("sees a client go away before the headers", async () => {
    server.play({ body: [{ hang: true }] });
    const controller = new AbortController();
    const asked = post("{}", controller.signal).catch((error: unknown) => error);
    const request = await server.request(0);
    controller.abort();
    expect(await request.outcome).to.equal("aborted");
    expect(await asked).to.have.property("name", "AbortError");
  });

  it("gives one reply after the other, then refuses", async () => {
    server.play([jsonReply(1), jsonReply(2, { status: 503, headers: { "retry-after": "2" } })]);
    const answers = [await post(), await post(), await post()];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 503, 500]);
    expect(answers[1]?.header("Retry-After")).to.equal("2");
    await Promise.all(answers.map((answer) => answer.text()));
  });

  it("tells the client what a script throws", async () => {
    server.play(() => {
      throw new Error("no such turn");
    });
    const answer = await post();
    expect(answer.status).to.equal(400);
    expect(await answer.text()).to.include("no such turn");
  });

  it("cuts a body after so many bytes", async () => {
    server.play(cutReply({ body: ["0123456789"] }, 4));
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const bytes of (await post()).body) seen.push(Buffer.from(bytes).toString());
    };
    expect(await read().catch((error: unknown) => error)).to.be.an("error");
    expect(seen.join("")).to.equal("0123");
  });

  it("sends a body in two pieces", async () => {
    server.play(splitReply({ body: ["0123456789"] }, 4));
    const seen: string[] = [];
    for await (const bytes of (await post()).body) seen.push(Buffer.from(bytes).toString());
    expect(seen).to.deep.equal(["0123", "456789"]);
  });

  it("lists models, and leaves these requests out of the record", async () => {
    expect(JSON.parse(await (await directFetch(`${server.baseUrl}/models`, {})).text())).to.deep.equal({
      object: "list",
      data: [{ id: "test", object: "model" }],
    });
    expect(server.requests).to.be.empty;
  });
});
