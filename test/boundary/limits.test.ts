import { expect } from "chai";
import type { Storage } from "@pergola/sdk";
import { chatReply, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { ask, officialPlugins, type Stage } from "../support/host.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { addToken, fromElsewhere, openDoorStage } from "./door-scene.ts";

const models = "/api/models";
const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

interface Available {
  readonly plugins: readonly { readonly fault: string | null }[];
}

describe("limits", () => {
  let stage: Stage;
  before(async () => {
    const settings = {
      "rate_limit.burst": 30,
      "rate_limit.requests_per_minute": 300,
      "rate_limit.failed_auth_per_minute": 10,
    };
    stage = await openDoorStage({ settings });
  });
  after(() => stage.end());

  const statusOf = async (token: string | undefined, from: string) =>
    (await fromElsewhere(stage.host, models, { token, from })).status;

  it("X47 counts bad tokens by place, whatever form its address has, and lets a good one in from there", async () => {
    const { secret } = await addToken(stage.host, "x47");
    const statuses: number[] = [];
    for (let index = 0; index < 30; index += 1)
      statuses.push(
        await statusOf(`bad-${index}`, index % 2 === 0 ? "198.51.100.47" : "::ffff:198.51.100.47"),
      );
    expect(statuses).to.deep.equal([...Array<number>(10).fill(401), ...Array<number>(20).fill(429)]);
    expect(await statusOf(undefined, "198.51.100.47")).to.equal(429);
    expect(await statusOf(secret, "198.51.100.47")).to.equal(200);
    expect(await statusOf("bad", "198.51.100.48")).to.equal(401);
    const network = (host: string) => statusOf("bad", `2001:db8:0:47::${host}`);
    const sixes: number[] = [];
    for (let index = 1; index <= 12; index += 1) sixes.push(await network(index.toString(16)));
    expect(sixes).to.deep.equal([...Array<number>(10).fill(401), 429, 429]);
  });

  it("X47 counts who brings nothing, too, and says when to try again", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) statuses.push(await statusOf(undefined, "198.51.100.49"));
    expect(statuses).to.deep.equal([...Array<number>(10).fill(401), 429]);
    const { headers, body } = await fromElsewhere(stage.host, models, { from: "198.51.100.49" });
    expect(body.error).to.deep.include({ code: "rate_limited", details: { limit: 10, window: 60 } });
    expect(body.error.message).to.include("one that brings no token counts, too");
    const { plugins } = (await stage.host.json<Available>("GET", "/debug/tools/available")).body;
    const faults = plugins.map(({ fault }) => fault);
    expect([...new Set(faults)], "nobody takes that for a fault").to.deep.equal([null]);
    expect(Number(headers.get("retry-after"))).to.be.within(1, 60);
  });

  it("X47 tells who brings no token from who brings a wrong one", async () => {
    const message = async (token?: string): Promise<string> =>
      (await fromElsewhere(stage.host, models, { token, from: "198.51.100.52" })).body.error.message;
    expect(await message()).to.match(/^No token was sent.*Authorization: Bearer <token>.*pergola tokens add/);
    expect(await message("wrong")).to.match(/^A valid token is required/);
  });

  it("X48 holds a token to its burst: 31 requests at once", async () => {
    const { secret } = await addToken(stage.host, "x48 burst");
    const from = "198.51.100.50";
    await fromElsewhere(stage.host, models, { token: secret, from });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 31 }, () => fromElsewhere(stage.host, models, { token: secret, from })),
    );
    const windows = Math.ceil((performance.now() - began) / 1000);
    const refused = answers.filter(({ status }) => status === 429);
    if (windows === 1) expect(refused.length).to.equal(1);
    for (const { headers, body } of refused) {
      expect(body.error).to.deep.include({ code: "rate_limited", details: { limit: 30, window: 1 } });
      expect(headers.get("retry-after")).to.equal("1");
      expect(headers.get("ratelimit-remaining")).to.equal("0");
    }
    const passed = answers.find(({ status }) => status === 200);
    expect(passed?.headers.get("ratelimit-limit")).to.equal("30");
  });

  it("X48 holds a token to its runs: the fifth is refused, and the place is free again afterwards", async () => {
    const { secret } = await addToken(stage.host, "x48 runs");
    let free!: () => void;
    const held = new Promise<void>((resolve) => (free = resolve));
    stage.provider.play(() => {
      const { body, ...reply } = chatReply({ text: "Late." });
      return { ...reply, body: [{ until: held }, ...body] };
    });
    const chat = (index: number) =>
      fromElsewhere(stage.host, "/api/chat/completions", {
        method: "POST",
        token: secret,
        body: ask(`Question ${index}`, { conversationId: `x48-${index}` }),
      });
    const asked = [1, 2, 3, 4, 5].map(chat);
    const first = await Promise.race(asked);
    expect([first.status, first.body.error.code]).to.deep.equal([429, "rate_limited"]);
    free();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 200, 200, 200, 429]);
    expect((await chat(6)).status).to.equal(200);
  });

  it("X47 keeps no memory of 100,000 places", async () => {
    const { Limits } = await import("../../plugins/policy-access/limits.ts");
    const { preferences } = stage.host.services;
    const stores = { storage: {} as Storage };
    const limits = new Limits({ preferences, stores, clock: Date, log: toolContext().log });
    global.gc?.();
    const before = process.memoryUsage().heapUsed;
    let refused = 0;
    for (let index = 0; index < 100_000; index += 1)
      await limits
        .fail(`2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::/64`)
        .catch(() => (refused += 1));
    global.gc?.();
    const grown = process.memoryUsage().heapUsed - before;
    expect(refused).to.be.at.least(100_000 - 2 * 600);
    expect(grown).to.be.below(20 * 1024 * 1024);
  }).timeout(60_000);

  it("has none for the owner", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1)
      statuses.push((await stage.host.request("GET", "/api/folders")).status);
    expect(countOf(statuses, 200)).to.equal(40);
    expect((await stage.host.request("GET", "/api/folders")).headers.get("ratelimit-limit")).to.equal(null);
  });
});

/** Knows callers by a credential of its own. */
const identityPlugin = () => ({
  use: writePlugin(temporaryFolder(), {
    id: "policy-identity",
    kind: "policy",
    provides: { hooks: ["authenticate"] },
    code: `export default {
      register: (host) => host.tap("authenticate", ({ token }) => token === "known-elsewhere"
        ? { kind: "token", name: "guest", id: "guest", root: null, remote: true, scopes: ["read"] } : undefined),
    };`,
  }),
  isolation: "trusted",
});

describe("the limit of wrong credentials", () => {
  let stage: Stage;
  before(async () => {
    stage = await openDoorStage({
      plugins: [...officialPlugins(), identityPlugin()],
      settings: { "rate_limit.failed_auth_per_minute": 3 },
    });
  });
  after(() => stage.end());

  it("X47 counts no credential that another plugin knows, and refuses none", async () => {
    const statusesOf = async (token: string, count: number) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1)
        statuses.push((await fromElsewhere(stage.host, models, { token, from: "198.51.100.60" })).status);
      return statuses;
    };
    expect(await statusesOf("known-elsewhere", 5)).to.deep.equal(Array(5).fill(200));
    expect(await statusesOf("unknown", 4)).to.deep.equal([401, 401, 401, 429]);
    expect(await statusesOf("known-elsewhere", 2)).to.deep.equal([200, 200]);
  });
});

describe("the limit of a minute", () => {
  let stage: Stage;
  before(async () => (stage = await openDoorStage({ settings: { "rate_limit.requests_per_minute": 300 } })));
  after(() => stage.end());

  const statusOf = async (token: string | undefined, from: string) =>
    (await fromElsewhere(stage.host, models, { token, from })).status;

  it("X48 holds a token to its minute: the 301st request, and none of the refused is charged", async () => {
    const { secret } = await addToken(stage.host, "x48 minute");
    const statuses: number[] = [];
    for (let index = 0; index < 310; index += 1) statuses.push(await statusOf(secret, "198.51.100.51"));
    expect([countOf(statuses, 200), countOf(statuses, 429)]).to.deep.equal([300, 10]);
    expect(statuses.indexOf(429)).to.equal(300);
    expect(await statusOf(secret, "198.51.100.52")).to.equal(200);
  }).timeout(55_000);
});
