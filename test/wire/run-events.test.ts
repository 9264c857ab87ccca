import { expect } from "chai";
import { allChunks, chatReply, type ScriptTurn, type StreamChunk } from "@pergola/sdk/testing";
import { user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { runEventsOf } from "../support/run-events.ts";
import { verifies } from "../support/verifies.ts";

const think: ScriptTurn = { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] };

describe("the events of a run", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const chat = async (script: readonly ScriptTurn[], more: object = {}) => {
    stage.provider.play(script.map(chatReply));
    const answer = await stage.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages: [user("Hello")],
      stream: true,
      ...more,
    });
    return { answer, run: answer.headers.get("x-run-id") ?? "" };
  };
  const follow = (run: string, query = "", headers: Readonly<Record<string, string>> = {}) =>
    stage.host.request("GET", `/api/runs/${run}/events${query}`, undefined, headers);
  const read = async (run: string, query = "", headers: Readonly<Record<string, string>> = {}) =>
    runEventsOf(await (await follow(run, query, headers)).text());

  verifies("stream:run-events", "are numbered from 1 without a gap, and end with the run", async () => {
    const { answer, run } = await chat([think, { text: ["Do", "ne."] }]);
    await answer.text();
    const following = await follow(run);
    expect(following.headers.get("content-type")).to.equal("text/event-stream; charset=utf-8");
    const events = runEventsOf(await following.text());
    expect(events.map(({ id }) => id)).to.deep.equal(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ event }) => event))).to.deep.equal(new Set(["state", "chunk", "end"]));
    expect(events.at(-1)).to.deep.include({
      event: "end",
      data: { runId: run, completion_reason: "workflow_complete", error: null },
    });
    const states = events.filter(({ event }) => event === "state").map(({ data }) => data);
    expect(states[0]).to.include({ id: run, status: "running", kind: "chat" });
  });

  verifies("stream:run-events", "carry the very chunks of the chat stream", async () => {
    const { answer, run } = await chat([think, { text: ["Do", "ne."] }]);
    const chunks = await allChunks(answer);
    const carried = (await read(run))
      .filter(({ event }) => event === "chunk")
      .map(({ data }) => data as StreamChunk);
    expect(carried).to.deep.equal(chunks);
  });

  verifies("stream:run-events", "start behind the event that the reader had last", async () => {
    const { answer, run } = await chat([{ text: ["One", " two"] }]);
    await answer.text();
    const all = await read(run);
    for (const after of [0, 1, all.length - 1, all.length, all.length + 5]) {
      expect(await read(run, `?after=${after}`), `after ${after}`).to.deep.equal(all.slice(after));
      expect(await read(run, "", { "Last-Event-ID": String(after) }), `header ${after}`).to.deep.equal(
        all.slice(after),
      );
    }
    expect((await stage.host.json("GET", `/api/runs/${run}/events?after=-1`)).status).to.equal(400);
  });

  verifies("stream:run-events", "are replayed, then live, for every reader, whoever leaves", async () => {
    const others = promised();
    const { answer, run } = await chat([[{ text: "One" }, { until: others.promise }, { text: " two" }]]);
    const leave = new AbortController();
    const leaver = await fetch(`${stage.host.url}/api/runs/${run}/events`, { signal: leave.signal });
    await leaver.body?.getReader().read();
    leave.abort();
    const readers = [await follow(run), await follow(run)];
    others.keep();
    const [one = [], two] = await Promise.all(
      readers.map(async (reader) => runEventsOf(await reader.text())),
    );
    expect(one).to.deep.equal(two);
    expect(one.at(-1)?.data).to.include({ completion_reason: "workflow_complete" });
    await answer.text();
    expect(await read(run)).to.deep.equal(one);
  });

  verifies(
    "stream:run-events",
    "can be followed for a run whose client wants no stream or is gone",
    async () => {
      const reader = promised();
      stage.provider.play(chatReply([{ text: "One" }, { until: reader.promise }, { text: " two" }]));
      const plain = stage.host.json("POST", "/api/chat/completions", {
        model: "default",
        messages: [user("Hello")],
        conversationId: "followed",
      });
      let run: string | undefined;
      while (run === undefined)
        run = (await stage.host.json<{ runs: readonly { id: string }[] }>("GET", "/api/runs?status=running"))
          .body.runs[0]?.id;
      const following = await follow(run);
      reader.keep();
      const events = runEventsOf(await following.text());
      const content = events
        .map(({ data }) => (data as StreamChunk).choices?.[0]?.delta.content ?? "")
        .join("");
      expect(content).to.equal("One two");
      expect((await plain).status).to.equal(200);
    },
  );

  verifies("stream:run-events", "tell an error as the chat stream does", async () => {
    const { answer, run } = await chat([think, { error: { status: 500 } }]);
    await answer.text();
    const events = await read(run);
    expect(events.at(-1)?.data).to.deep.include({ completion_reason: "error" });
    expect(events.at(-1)?.data["error"]).to.include({ code: "provider_error", type: "server_error" });
    expect(events.at(-2)?.data).to.have.nested.property("error.code", "provider_error");
  });
});
