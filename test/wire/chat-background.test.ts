import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply, type ScriptTurn } from "@pergola/sdk/testing";
import { chat, detailOf, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { runEventsOf, type WireRunEvent } from "../support/run-events.ts";
import { verifies } from "../support/verifies.ts";

interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
}

const deltaOf = ({ data }: WireRunEvent): Delta =>
  (data["choices"] as readonly { readonly delta: Delta }[] | undefined)?.[0]?.delta ?? {};

describe("a chat in the background", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const send = async (script: ScriptTurn, more: object = {}) => {
    stage.provider.play([chatReply(script)]);
    const { status, headers, body } = await chat(stage, {
      messages: [user("Hello")],
      background: true,
      ...more,
    });
    return { status, headers, body: body as unknown as Readonly<Record<string, string>> };
  };
  const eventsOf = async (runId: string, query = "") =>
    runEventsOf(await (await stage.host.request("GET", `/api/runs/${runId}/events${query}`)).text());

  verifies("chat:background", "answers once the turn is stored, and goes on", async () => {
    const later = promised();
    const { status, headers, body } = await send([{ until: later.promise }, { text: "Done." }]);
    expect(status).to.equal(202);
    const conversationId = headers.get("x-conversation-id")!;
    const { messages } = await detailOf(stage.host, conversationId);
    expect(messages.map(({ role, content }) => [role, content])).to.deep.equal([["user", "Hello"]]);
    expect(body).to.deep.equal({
      runId: headers.get("x-run-id"),
      conversationId,
      messageId: messages[0]?.["id"],
      status: "queued",
    });
    later.keep();
    expect((await eventsOf(body["runId"]!)).at(-1)?.data).to.include({
      completion_reason: "workflow_complete",
    });
    const after = (await detailOf(stage.host, conversationId)).messages;
    expect(after.at(-1)?.content).to.equal("Done.");
    const again = await send(
      { text: "Once more." },
      { conversationId, parentMessageId: body["messageId"], messages: [] },
    );
    expect([again.status, again.body["messageId"]]).to.deep.equal([202, body["messageId"]]);
    await eventsOf(again.body["runId"]!);
  });

  verifies("chat:background", "keeps the turn where the first call fails", async () => {
    const { status, body } = await send({ error: { status: 500 } });
    expect(status).to.equal(202);
    const end = (await eventsOf(body["runId"]!)).at(-1)!;
    expect(end.data).to.deep.include({ completion_reason: "error" });
    expect(end.data["error"]).to.include({ code: "provider_error" });
    const { messages } = await detailOf(stage.host, body["conversationId"]!);
    expect(messages[0]).to.include({ role: "user", content: "Hello" });
    expect((await send({ text: "x" }, { model: "nothing" })).status).to.equal(404);
  });

  verifies(
    "stream:run-events-merged",
    "is replayed with fragments joined, under the last number",
    async () => {
      const words = ["One ", "two ", "three ", "four"];
      const gates = words.map((_, index) => setTimeout(100 * (index + 1)));
      const { body } = await send(words.flatMap((text, index) => [{ text }, { until: gates[index]! }]));
      const runId = body["runId"]!;
      const all = await eventsOf(runId);
      const merged = await eventsOf(runId, "?merge=true");
      const texts = merged.filter((event) => (deltaOf(event).content ?? "") !== "");
      expect(texts.map((event) => deltaOf(event).content)).to.deep.equal([words.join("")]);
      const fragments = all.filter((event) => (deltaOf(event).content ?? "") !== "");
      expect(fragments.length).to.be.greaterThan(1);
      expect(texts[0]?.id).to.equal(fragments.at(-1)?.id);
      expect({ ...texts[0]!.data, choices: null }).to.deep.equal({ ...fragments[0]!.data, choices: null });
      const others = all.filter((event) => !fragments.includes(event));
      expect(merged.filter((event) => !texts.includes(event))).to.deep.equal(others);
      const half = fragments[1]!.id;
      const rest = await eventsOf(runId, `?merge=true&after=${half}`);
      expect(rest.map((event) => deltaOf(event).content ?? "").join("")).to.equal(
        fragments
          .slice(2)
          .map((event) => deltaOf(event).content)
          .join(""),
      );
    },
  );

  verifies("stream:run-events-merged", "goes on live behind what was joined, losing nothing", async () => {
    const [first, second] = [promised(), promised()];
    const { body } = await send([
      { text: ["a ", "b "] },
      { until: first.promise },
      { text: ["c ", "d "] },
      { until: second.promise },
      { text: ["e"] },
    ]);
    const runId = body["runId"]!;
    for (;;) {
      const log = await stage.host.services.runs.log(runId);
      if ((log?.count ?? 0) >= 2) break;
      await setTimeout(10);
    }
    const reading = eventsOf(runId, "?merge=true");
    first.keep();
    second.keep();
    const [live, all] = [await reading, await eventsOf(runId)];
    const textOf = (events: readonly WireRunEvent[]) =>
      events.map((event) => deltaOf(event).content ?? "").join("");
    expect(textOf(live)).to.equal(textOf(all));
    expect(live.at(-1)?.id).to.equal(all.at(-1)?.id);
  });
});
