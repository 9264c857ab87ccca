import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask } from "../support/host.ts";
import { calling, eachItsLab, labCall, pendingIn } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

interface Refusal {
  readonly error: {
    readonly message: string;
    readonly code?: string;
    readonly details?: { readonly runId: string };
  };
}

const conversationId = "3f0c1f9e-4df6-4b1c-9a52-0d7a3a1d9b11";

/** What waits for the person in each of the formats: its route, and its body. */
const formats = [
  ["/v1/chat/completions", ask("Wipe it", { conversationId })],
  ["/api/chat/autonomous", ask("Wipe it", { conversationId })],
  ["/v1/messages", { model: "default", max_tokens: 99, messages: [{ role: "user", content: "Wipe it" }] }],
  ["/v1/responses", { model: "default", input: "Wipe it" }],
] as const;

describe("answers that the stop of the service cuts (R3)", () => {
  const open = eachItsLab();

  for (const [route, body] of formats)
    verifies(
      "http:cut-by-stop",
      `R3: ${route} answers 503 with the run's id, and no empty answer`,
      async () => {
        const stage = await open({ settings: { storage: { type: "sqlite" } } });
        stage.provider.play([calling(labCall("wipe", "asked"))]);
        const asked = stage.host.json<Refusal>("POST", route, body);
        const { runs } = stage.host.services;
        const waiting = async () => (await runs.list({ status: "waiting" })).items[0];
        let run = await waiting();
        for (; run === undefined; run = await waiting()) await new Promise(setImmediate);
        await stage.host.restart();
        const { status, headers, body: refusal } = await asked;
        expect(status).to.equal(503);
        expect(headers.get("retry-after")).to.equal("5");
        expect(refusal.error.message).to.include(run.id);
        if (route === "/v1/chat/completions")
          expect(refusal.error).to.deep.include({ code: "shutting_down", details: { runId: run.id } });
        expect((await stage.host.services.runs.get(run.id)).status).to.equal("interrupted");
      },
    );

  it("R3: a chat that was cut in its first model call is refused in the same words", async () => {
    const stage = await open();
    stage.provider.play(chatReply([{ hang: true }]));
    const asked = stage.host.json<Refusal>("POST", "/v1/chat/completions", ask("Hi"));
    await stage.provider.request(0);
    await stage.host.restart();
    const { status, body } = await asked;
    expect(status).to.equal(503);
    expect(body.error.code).to.equal("shutting_down");
    expect(body.error.message).to.include(body.error.details?.runId);
  });

  it("R3: answers that are whole before the stop are sent whole", async () => {
    const stage = await open();
    stage.provider.play([calling(labCall("wipe", "asked")), chatReply({ text: "Done." })]);
    const asked = stage.host.json<{ choices: { message: { content: string } }[] }>(
      "POST",
      "/v1/chat/completions",
      ask("Wipe it", { conversationId }),
    );
    const { toolCallId } = await pendingIn(stage.host, conversationId);
    await stage.host.json("POST", "/api/chat/tool-response", { toolCallId, approved: true });
    expect((await asked).body.choices[0]?.message.content).to.equal("Done.");
  });
});
