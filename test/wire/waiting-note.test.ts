import { expect } from "chai";
import { allChunks, contentOf, streamLines } from "@pergola/sdk/testing";
import { addToken, fromElsewhere } from "../boundary/door-scene.ts";
import { assistant, chat, detailOf, sentTurns, storedTurns, user } from "../support/chat.ts";
import type { Stage } from "../support/host.ts";
import {
  answer,
  calling,
  eachItsLab,
  eventually,
  labCall,
  pendingIn,
  play,
  runWith,
  saying,
} from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

const noteOf = ({ host }: Stage): string =>
  `[Waiting for your approval: lab.wipe. See ${host.url}/api/approvals or run: pergola approvals]`;

const wipes = [calling(labCall("wipe", "old")), saying("Wiped.")];

/** A body that asks for one user message, in each format. */
const formats = {
  chat: {
    path: "/v1/chat/completions",
    body: (conversationId: string) => ({ messages: [user("Wipe")], conversationId }),
  },
  Messages: {
    path: "/v1/messages",
    body: (conversation_id: string) => ({ messages: [user("Wipe")], conversation_id, max_tokens: 99 }),
  },
  Responses: { path: "/v1/responses", body: (conversation: string) => ({ input: "Wipe", conversation }) },
} as const;

/** The text that a client shows of an event of any of the formats. */
function shownText(line: string): string {
  if (line === "[DONE]") return "";
  const { choices, delta } = JSON.parse(line) as {
    readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
    readonly delta?: string | { readonly text?: string };
  };
  if (typeof delta === "string") return delta;
  return delta?.text ?? choices?.[0]?.delta.content ?? "";
}

describe("a call that waits for the person, for clients that know no events (C9)", () => {
  const open = eachItsLab();

  /** Streams until the end; the waiting call is approved once the note was read, or the question is there. */
  async function streamAndApprove(stage: Stage, conversationId: string, more: object = {}) {
    stage.provider.play(wipes);
    const body = { model: "default", stream: true, ...formats.chat.body(conversationId), ...more };
    const streamed = stage.host.request("POST", formats.chat.path, body).then(allChunks);
    const { toolCallId } = await pendingIn(stage.host, conversationId);
    await answer(stage.host, toolCallId, { approved: true });
    return contentOf(await streamed);
  }

  for (const [format, { path, body }] of Object.entries(formats))
    verifies("stream:waiting-note", `C9: puts one line into a stream of the ${format} format`, async () => {
      const stage = await open();
      stage.provider.play(wipes);
      const asked = { model: "default", stream: true, ...body("waits") };
      const stream = await stage.host.request("POST", path, asked);
      let text = "";
      for await (const line of streamLines(stream)) {
        const shown = shownText(line);
        text += shown;
        if (shown !== noteOf(stage)) continue;
        const { toolCallId } = await pendingIn(stage.host, "waits");
        await answer(stage.host, toolCallId, { approved: true });
      }
      expect(text).to.equal(`${noteOf(stage)}\n\nWiped.`);
    });

  verifies("stream:waiting-note", "C9: which is of no stored message, and matched in a history", async () => {
    const stage = await open();
    const text = await streamAndApprove(stage, "matched");
    expect(text).to.equal(`${noteOf(stage)}\n\nWiped.`);
    expect((await storedTurns(stage.host, "matched")).join("\n")).to.not.contain("Waiting for");
    stage.provider.play([saying("Welcome.")]);
    const messages = [user("Wipe"), assistant(text), user("Thanks")];
    const { body } = await chat(stage, { messages, conversationId: "matched" });
    expect(body.service_metadata.warnings).to.deep.equal([]);
    expect((await storedTurns(stage.host, "matched")).slice(-2)).to.deep.equal([
      "user: Thanks",
      "assistant: Welcome.",
    ]);
    expect(sentTurns(stage).join("\n")).to.contain("Wiped.").and.not.contain("Waiting for");
  });

  verifies("stream:waiting-note", "C9: also when all that was read of a run is that line", async () => {
    const stage = await open();
    stage.provider.play(wipes);
    const leaving = new AbortController();
    const body = { model: "default", stream: true, ...formats.chat.body("left") };
    const stream = await fetch(`${stage.host.url}${formats.chat.path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await pendingIn(stage.host, "left");
    for await (const line of streamLines(stream)) if (shownText(line) === noteOf(stage)) break;
    leaving.abort();
    await runWith(stage.host, "left", "ended");
    stage.provider.play([saying("Fine.")]);
    const messages = [user("Wipe"), assistant(noteOf(stage)), user("Never mind")];
    const next = await chat(stage, { messages, conversationId: "left" });
    expect(next.body.service_metadata.warnings).to.deep.equal([]);
    expect((await storedTurns(stage.host, "left")).filter((turn) => turn.startsWith("user"))).to.have.length(
      2,
    );
  });

  verifies("stream:waiting-note", "C9: names the address by the scheme that the client came by", async () => {
    const stage = await open({
      settings: { "server.trusted_proxies": ["127.0.0.1"], "stream.waiting_note_seconds": 1 },
    });
    const { secret: token } = await addToken(stage.host, "phone", { scopes: ["read", "chat", "tools"] });
    for (const scheme of ["https", "http"]) {
      stage.provider.play(wipes);
      const { body } = await fromElsewhere<unknown>(stage.host, formats.chat.path, {
        method: "POST",
        token,
        body: { model: "default", ...formats.chat.body(scheme) },
        headers: { "X-Forwarded-Proto": scheme },
      });
      const host = new URL(stage.host.url).host;
      expect(JSON.stringify(body)).to.include(`See ${scheme}://${host}/api/approvals`);
    }
  });

  verifies("stream:waiting-note", "C9: is left out for who asks for events, or as is preferred", async () => {
    const stage = await open();
    const events = { stream_options: { include_tool_events: true } };
    const none = { stream_options: { include_tool_events: false } };
    expect(await streamAndApprove(stage, "events", events)).to.equal("Wiped.");
    expect(await streamAndApprove(stage, "no events", none)).to.contain(noteOf(stage));
    const prefer = (value: string) =>
      stage.host.json("PATCH", "/api/preferences", { "stream.waiting_note": value });
    await prefer("always");
    expect(await streamAndApprove(stage, "always", events)).to.contain(noteOf(stage));
    await prefer("never");
    expect(await streamAndApprove(stage, "never")).to.equal("Wiped.");
  });

  for (const [format, { path, body }] of Object.entries(formats))
    verifies(
      "stream:waiting-note",
      `C9: ends a request without a stream of the ${format} format in time`,
      async () => {
        const stage = await open({ settings: { "stream.waiting_note_seconds": 1 } });
        stage.provider.play(wipes);
        const { status, body: answered } = await stage.host.json("POST", path, {
          model: "default",
          ...body("left"),
        });
        expect(status).to.equal(200);
        expect(JSON.stringify(answered)).to.contain(noteOf(stage)).and.contain("waiting for the person");
        expect(JSON.stringify(answered)).to.match(
          /"finish_reason":"stop"|"stop_reason":"end_turn"|"status":"completed"/,
        );
        const { toolCallId } = await pendingIn(stage.host, "left");
        await answer(stage.host, toolCallId, { approved: true });
        await runWith(stage.host, "left", "ended");
        expect((await storedTurns(stage.host, "left")).at(-1)).to.equal("assistant: Wiped.");
        stage.provider.play([saying("Welcome.")]);
        const messages = [user("Wipe"), assistant(noteOf(stage)), user("Thanks")];
        const next = await chat(stage, { messages, conversationId: "left" });
        expect(next.body.service_metadata.warnings).to.deep.equal([]);
        expect((await storedTurns(stage.host, "left")).slice(-3)).to.deep.equal([
          "assistant: Wiped.",
          "user: Thanks",
          "assistant: Welcome.",
        ]);
      },
    );

  verifies("stream:waiting-note", "C9: a request without a stream waits while none is set", async () => {
    const stage = await open();
    const asked = play(stage, wipes, { conversationId: "patient" });
    const { toolCallId } = await pendingIn(stage.host, "patient");
    await answer(stage.host, toolCallId, { approved: true });
    expect((await asked).content).to.equal("Wiped.");
    const detail = await eventually(() => detailOf(stage.host, "patient"));
    expect(JSON.stringify(detail)).to.not.contain("Waiting for");
  });
});
