import { expect } from "chai";
import { chatReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { chat, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Figures {
  readonly key?: string;
  readonly runs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number | null;
  readonly runsWithoutPrice: number;
  readonly runsEstimated: number;
}

interface Report {
  readonly from: string;
  readonly to: string;
  readonly total: Figures;
  readonly groups: readonly Figures[];
}

const counted = chatReply([{ text: "Yes." }, { usage: { promptTokens: 1000, completionTokens: 500 } }]);

describe("what runs have used", () => {
  let stage: Stage;
  let vendor: MockProviderServer;
  beforeEach(async () => {
    vendor = await mockProviderServer(counted);
    // Reached at an address that is not taken for this computer: what is local costs nothing.
    const elsewhere = vendor.baseUrl.replace("127.0.0.1", "0.0.0.0");
    stage = await openStage(undefined, {
      settings: {
        "models.prices": { "custom/priced": { prompt: 1, completion: 2 } },
        "models.overrides": { "custom/priced": { supportsTools: true } },
        "tools.disabled": [],
        "providers.list": [
          { type: "custom", base_url: vendor.baseUrl, retry_count: 0 },
          { type: "custom", id: "elsewhere", prefix: "elsewhere", base_url: elsewhere, retry_count: 0 },
        ],
      },
    });
  });
  afterEach(async () => {
    await stage.end();
    await vendor.close();
  });

  const usage = async (query = ""): Promise<Report> =>
    (await stage.host.json<Report>("GET", `/api/usage${query}`)).body;
  /** A run of 1,000 and 500 tokens. */
  const run = async (conversationId: string, model: string): Promise<string> => {
    vendor.play(counted);
    const { body } = await chat(stage, { conversationId, model, messages: [user("Hello")] });
    return body.service_metadata.run_id;
  };

  verifies("runs:usage", "is nothing where there are no runs", async () => {
    const none = {
      runs: 0,
      promptTokens: 0,
      completionTokens: 0,
      costUsd: 0,
      runsWithoutPrice: 0,
      runsEstimated: 0,
    };
    const { from, to, ...sums } = await usage();
    expect(sums).to.deep.equal({ total: none, groups: [] });
    expect(Date.parse(to) - Date.parse(from)).to.equal(30 * 24 * 60 * 60 * 1000);
  });

  verifies("runs:usage", "is added up, for one conversation too, and grouped", async () => {
    await run("one", "custom/priced");
    await run("two", "custom/priced");
    await run("two", "custom/priced");
    const two = { runs: 2, promptTokens: 2000, completionTokens: 1000, costUsd: 4 };
    expect((await usage()).total).to.deep.include({ runs: 3, promptTokens: 3000, costUsd: 6 });
    expect((await usage("?conversationId=two")).total).to.deep.include(two);
    const { groups } = await usage("?groupBy=conversation");
    expect(groups.map(({ runs }) => runs)).to.deep.equal([2, 1]);
    expect(groups[0]).to.deep.include(two);
    for (const [groupBy, key] of [
      ["model", "custom/priced"],
      ["provider", "custom"],
    ]) {
      const found = await usage(`?groupBy=${groupBy ?? ""}`);
      expect(found.groups).to.deep.equal([{ key, ...found.total }]);
    }
  });

  verifies("runs:usage", "is that of the runs made in a span of time, by day", async () => {
    const id = await run("one", "custom/priced");
    const { createdAt } = (await stage.host.json<{ createdAt: string }>("GET", `/api/runs/${id}`)).body;
    const after = new Date(Date.parse(createdAt) + 1).toISOString();
    expect((await usage(`?from=${createdAt}&to=${after}`)).total.runs).to.equal(1);
    expect((await usage(`?to=${createdAt}`)).total.runs).to.equal(0);
    expect((await usage(`?from=${after}`)).total.runs).to.equal(0);
    const { groups } = await usage("?groupBy=day");
    expect(groups.map(({ key }) => key)).to.deep.equal([createdAt.slice(0, 10)]);
    const refused = await stage.host.json<{ error: { param: string } }>("GET", "/api/usage?from=yesterday");
    expect([refused.status, refused.body.error.param]).to.deep.equal([400, "from"]);
  });

  verifies("runs:usage", "tells which runs have no known price, and which were not counted", async () => {
    vendor.play(chatReply({ text: "Uncounted" }));
    await chat(stage, { conversationId: "one", model: "custom/priced", messages: [user("Hello")] });
    expect((await usage()).total).to.include({ runs: 1, runsEstimated: 1, runsWithoutPrice: 0 });
    const id = await run("two", "elsewhere/unheard-of");
    const { body } = await stage.host.json<{ costUsd: number | null }>("GET", `/api/runs/${id}`);
    expect(body.costUsd).to.equal(null);
    expect((await usage("?conversationId=two")).total).to.include({ costUsd: null, runsWithoutPrice: 1 });
    const { total, groups } = await usage("?groupBy=provider");
    expect(total).to.include({ runs: 2, runsWithoutPrice: 1, runsEstimated: 1 });
    expect(total.costUsd).to.be.above(0);
    expect(groups.map(({ key, costUsd }) => [key, costUsd])).to.deep.equal([
      ["custom", total.costUsd],
      ["elsewhere", null],
    ]);
  });

  verifies("runs:usage", "of a sub-agent is in the figures of the run above it alone", async () => {
    vendor.play([
      chatReply([
        { toolCalls: [{ name: "agent_operations", arguments: { operation: "spawn", task: "Look around" } }] },
        { usage: { promptTokens: 1000, completionTokens: 500 } },
      ]),
      chatReply([{ text: "Looked." }, { usage: { promptTokens: 100, completionTokens: 50 } }]),
      chatReply([{ text: "Done." }, { usage: { promptTokens: 1000, completionTokens: 500 } }]),
    ]);
    const messages = [user("Let somebody look around")];
    await chat(stage, { conversationId: "one", model: "custom/priced", messages });
    const { body } = await stage.host.json<{ count: number }>("GET", "/api/runs?kind=subagent");
    expect(body.count).to.equal(1);
    expect((await usage()).total).to.include({ runs: 1, promptTokens: 2100, completionTokens: 1050 });
  });
});
