import { expect } from "chai";
import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { skipWithoutServer, storageTypes } from "../support/chosen-storage.ts";
import { chat, detailOf, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Item {
  readonly id: string;
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text: string }[];
}

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Item[];
  readonly conversation: { readonly id: string };
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly [key: string]: unknown;
}

interface List {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly first_id: string;
  readonly last_id: string;
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string; readonly sequence_number: number };

const tool = { type: "function", name: "look", parameters: { type: "object", properties: { at: {} } } };

for (const storage of storageTypes) {
  describe(`stored responses in ${storage} (C19)`, () => {
    skipWithoutServer(storage);
    let stage: Stage;
    before(async () => {
      stage = await openStage(undefined, { settings: { storage: { type: storage } } });
    });
    after(() => stage?.end());

    const create = async (body: object, script: readonly ScriptTurn[] = [{ text: "Hello." }]) => {
      stage.provider.play(script.map(chatReply));
      return (
        await stage.host.json<Answer>("POST", "/v1/responses", { model: "default", input: "Hi", ...body })
      ).body;
    };
    const get = (id: string) => stage.host.json<Answer>("GET", `/v1/responses/${id}`);
    const follow = async (id: string, query = "") => {
      const events: Event[] = [];
      const answer = await fetch(`${stage.host.url}/v1/responses/${id}?stream=true${query}`);
      for await (const line of streamLines(answer)) events.push(JSON.parse(line) as Event);
      return events;
    };
    const ended = async (id: string): Promise<Answer> => {
      const events = await follow(id);
      expect(events.at(-1)?.type).to.match(/^response\.(completed|failed|incomplete)$/);
      return (await get(id)).body;
    };

    verifies("responses:stored", "C19: are shown as they were answered, after a restart too", async () => {
      const first = await create(
        { tools: [tool], instructions: "Be brief.", metadata: { a: "1" }, reasoning: { summary: "auto" } },
        [
          [
            { reasoning: "Hm." },
            { text: "I look." },
            { toolCalls: [{ name: "look", arguments: { at: "it" } }] },
          ],
        ],
      );
      const { status, body } = await get(first.id);
      expect(status).to.equal(200);
      expect(body).to.deep.equal(first);
      expect((await stage.host.json<Answer>("GET", `/api/responses/${first.id}`)).body).to.deep.equal(first);
      if (storage === "memory") return;
      await stage.host.restart();
      const { service_metadata: _, ...restarted } = (await get(first.id)).body;
      expect(first).to.deep.include(restarted);
    });

    verifies("responses:stored", "C19: are made from their messages once the events are gone", async () => {
      const first = await create({ tools: [tool], reasoning: { summary: "auto" } }, [
        [
          { reasoning: "Hm." },
          { text: "I look." },
          { toolCalls: [{ name: "look", arguments: { at: "it" } }] },
        ],
      ]);
      const { runs } = stage.host.services;
      const log = runs.log.bind(runs);
      Object.assign(runs, { log: () => Promise.resolve(undefined) });
      try {
        const { body } = await get(first.id);
        expect(body.output).to.deep.equal(first.output);
        expect([body.status, body["usage"]]).to.deep.equal([first.status, first["usage"]]);
        const events = await follow(first.id, "&starting_after=4");
        expect(events.map(({ type, sequence_number: number }) => [type, number])).to.deep.equal([
          ["response.completed", 5],
        ]);
      } finally {
        Object.assign(runs, { log });
      }
    });

    verifies("responses:stored", "C19: are runs, those of other formats too", async () => {
      stage.provider.play([chatReply({ text: "Good day." })]);
      const { body: answer } = await chat(stage, { messages: [user("Hello")] });
      const { body } = await get(answer.service_metadata.run_id.replace("run_", "resp_"));
      expect([body.status, body.output[0]?.content?.[0]?.text]).to.deep.equal(["completed", "Good day."]);
    });

    verifies("responses:stored", "C19: are followed from any of their events", async () => {
      const { id } = await create({}, [{ text: ["one ", "two"] }]);
      const all = await follow(id);
      expect(all.map(({ sequence_number: number }) => number)).to.deep.equal(all.map((_, index) => index));
      expect(all[0]?.type).to.equal("response.created");
      expect(await follow(id, "&starting_after=3")).to.deep.equal(all.slice(4));
    });

    verifies("responses:stored", "C19: tell what they were asked, in pages", async () => {
      const history = [
        { role: "user", content: "One" },
        { role: "assistant", content: "first" },
        { role: "user", content: "Two" },
      ];
      const { id } = await create({ input: history, instructions: "Be brief." });
      const list = async (query: string, of = id) =>
        (await stage.host.json<List>("GET", `/v1/responses/${of}/input_items${query}`)).body;
      const texts = ({ data }: List) => data.map(({ role, content }) => `${role}: ${content?.[0]?.text}`);
      expect(texts(await list("?order=asc"))).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
      const page = await list("?limit=1");
      expect([texts(page), page.has_more]).to.deep.equal([["user: Two"], true]);
      const rest = await list(`?after=${page.last_id}`);
      expect([texts(rest), rest.has_more]).to.deep.equal([["assistant: first", "user: One"], false]);
      const next = await create({ input: "Three", previous_response_id: id });
      expect(texts(await list("", next.id))).to.deep.equal(["user: Three"]);
    });

    verifies("responses:stored", "C19: are deleted while the conversation stays", async () => {
      const { id, conversation } = await create({});
      const { status, body } = await stage.host.json("DELETE", `/v1/responses/${id}`);
      expect([status, body]).to.deep.equal([200, { id, object: "response", deleted: true }]);
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/input_items"],
        ["POST", "/cancel"],
        ["DELETE", ""],
      ] as const)
        expect((await stage.host.json(method, `/v1/responses/${id}${path}`)).status).to.equal(404);
      expect((await detailOf(stage.host, conversation.id)).messageCount).to.equal(2);
    });

    verifies(
      "responses:stored",
      "C19: are not there when they were not to be stored, or with their conversation",
      async () => {
        const { id } = await create({ store: false });
        expect((await get(id)).status).to.equal(404);
        const other = await create({});
        await stage.host.json("DELETE", `/v1/conversations/${other.conversation.id}`);
        expect((await get(other.id)).status).to.equal(404);
        for (const unknown of ["resp_x", `resp_${"0".repeat(32)}`])
          expect((await get(unknown)).status).to.equal(404);
      },
    );

    verifies(
      "responses:background",
      "C19: answer at once, work by themselves and are asked for later",
      async () => {
        stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
        const number = stage.provider.requests.length;
        const { body: queued } = await stage.host.json<Answer>("POST", "/v1/responses", {
          model: "default",
          input: "Hi",
          background: true,
        });
        expect([queued.status, queued["background"], queued.output]).to.deep.equal(["queued", true, []]);
        await stage.provider.request(number);
        expect((await get(queued.id)).body.status).to.equal("in_progress");
        const { status, body } = await stage.host.json<Answer>("POST", `/v1/responses/${queued.id}/cancel`);
        expect([status, body.status]).to.deep.equal([200, "cancelled"]);
        expect(
          (await stage.host.json<Answer>("POST", `/v1/responses/${queued.id}/cancel`)).body,
        ).to.deep.equal(body);
      },
    );

    verifies("responses:background", "C19: say how they ended", async () => {
      const done = await create({ background: true }, [{ text: "Done." }]);
      expect(await ended(done.id)).to.include({ status: "completed", background: true });
      const failed = await create({ background: true }, [{ error: { status: 400, message: "no" } }]);
      const answer = await ended(failed.id);
      expect([answer.status, answer.error?.code]).to.deep.equal(["failed", "server_error"]);
    });
  });
}
