import { expect } from "chai";
import type { PreferenceService, Storage } from "@pergola/sdk";
import { chatReply, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { Limits } from "../../plugins/policy-access/limits.ts";
import { SharedWindows } from "../../plugins/policy-access/shared-windows.ts";
import { postgres } from "../../plugins/storage-postgres/index.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { addToken, fromElsewhere, openDoorStage } from "../boundary/door-scene.ts";
import { ask, type Stage } from "../support/host.ts";
import { eventually } from "../support/lab-stage.ts";

const { log } = toolContext();

describe("limits of several hosts", function () {
  this.timeout(60_000);
  before(needsPostgres);

  describe("windows", () => {
    const minute = 60_000;
    let now = 1000 * minute;
    const clock = { now: () => now };
    const storages: Storage[] = [];
    let hosts: readonly SharedWindows[];

    before(async () => {
      const settings = (await sharedServer()).settings();
      for (let at = 0; at < 3; at += 1)
        storages.push(await postgres.open({ ...settings }, { dataDirectory: temporaryFolder(), log }));
      hosts = storages.map((storage) => new SharedWindows(storage, clock, log));
    });
    after(async () => Promise.all(storages.map(async (storage) => storage.close())));
    beforeEach(() => (now += 10 * minute));

    const taken = (limit: { readonly name: string; readonly points: number; readonly duration: number }) =>
      Promise.all(Array.from({ length: 3 * limit.points }, (_, at) => hosts[at % 3]!.take(limit, "key")));

    it("give out as much as the limit, and nothing more, whichever host is asked (X48)", async () => {
      for (const points of [1, 10, 30, 300]) {
        const limit = { name: `of ${points}`, points, duration: 60 };
        const answers = await taken(limit);
        expect(answers.filter(({ isOver }) => !isOver)).to.have.length(points);
        expect(answers.every(({ msBeforeNext }) => msBeforeNext === minute)).to.equal(true);
        for (const host of hosts) expect(host.isOver(limit, "key")).to.include({ isOver: true });
        expect(await hosts[0]!.take(limit, "another key")).to.include({ isOver: false });
      }
    });

    it("begin anew when their time is over", async () => {
      const limit = { name: "again", points: 10, duration: 60 };
      await taken(limit);
      now += minute;
      expect(hosts[1]!.isOver(limit, "key")).to.equal(undefined);
      expect(await hosts[1]!.take(limit, "key")).to.deep.include({ isOver: false, remainingPoints: 9 });
      expect((await taken(limit)).filter(({ isOver }) => !isOver)).to.have.length(9);
    });

    it("hold where the clocks of hosts differ", async () => {
      const limit = { name: "skewed", points: 30, duration: 60 };
      const ahead = new SharedWindows(storages[0]!, { now: () => now + 1000 }, log);
      const behind = new SharedWindows(storages[1]!, clock, log);
      now += minute - 1 - (now % minute);
      const answers: boolean[] = [];
      for (let at = 0; at < 60; at += 1)
        answers.push((await [ahead, behind][at % 2]!.take(limit, "key")).isOver);
      expect(answers.filter((isOver) => !isOver)).to.have.length(30);
    });

    it("ask the storage for few of their requests", async () => {
      const [storage] = storages;
      let writes = 0;
      const counting: Pick<Storage, "collection" | "commit"> = {
        commit: storage!.commit.bind(storage),
        collection: (name, options) => {
          const opened = storage!.collection<never>(name, options);
          const put: typeof opened.put = async (...given) => {
            writes += 1;
            return opened.put(...given);
          };
          return { ...opened, put } as never;
        },
      };
      const limit = { name: "seldom", points: 300, duration: 60 };
      const host = new SharedWindows(counting as Storage, clock, log);
      for (let at = 0; at < 100; at += 1) await host.take(limit, "key");
      expect(writes).to.be.within(1, 9);
    });

    it("do not stay in the storage", async () => {
      const rates = storages[0]!.collection<{ readonly id: string; readonly ends: number }>(
        "policy-access/rates",
        { indexes: ["ends"] },
      );
      await hosts[0]!.take({ name: "old", points: 5, duration: 1 }, "key");
      expect(await rates.count({})).to.be.above(0);
      now += 10 * minute;
      await hosts[0]!.take({ name: "new", points: 5, duration: 1 }, "key");
      await eventually(async () => (await rates.count({})) === 1);
    });
  });

  it("runs of a token that a host has left are counted no more, and leave no name", async () => {
    const server = await sharedServer();
    const settings = server.settings();
    const preferences = { get: () => 1 } as unknown as PreferenceService;
    const open = async () => {
      const storage = await postgres.open({ ...settings }, { dataDirectory: temporaryFolder(), log });
      return { storage, limits: new Limits({ preferences, clock: Date, log, stores: { storage } }) };
    };
    const [gone, there] = [await open(), await open()];
    try {
      await gone.limits.beginRun("ada");
      const refused = await there.limits.beginRun("ada").catch(({ code }: { code: string }) => code);
      expect(refused).to.equal("rate_limited");
      await gone.storage.close();
      const left = `SELECT FROM ${settings.schema}.claims WHERE name LIKE 'policy-access/run/%'`;
      await eventually(async () => (await server.query(left)).length === 0);
      (await there.limits.beginRun("ada"))();
    } finally {
      await there.storage.close();
    }
  });

  describe("at the door", () => {
    let one: Stage;
    let two: Stage;
    before(async () => {
      const storage = (await sharedServer()).settings();
      const settings = { storage, "rate_limit.failed_auth_per_minute": 10, "rate_limit.parallel_runs": 2 };
      one = await openDoorStage({ settings: settings });
      two = await openDoorStage({ settings: settings });
    });
    after(async () => {
      await one?.end();
      await two?.end();
    });

    /** A window begins with each minute: what is counted must not stand in two. */
    async function untilFarFromTheEnd(): Promise<void> {
      const left = 60_000 - (Date.now() % 60_000);
      if (left < 5000) await new Promise((resolve) => setTimeout(resolve, left + 100));
    }

    it("wrong tokens count together (X47)", async () => {
      await untilFarFromTheEnd();
      const statuses: number[] = [];
      for (let at = 0; at < 24; at += 1) {
        const { host } = at % 2 === 0 ? one : two;
        const answer = await fromElsewhere(host, "/api/models", { token: `bad-${at}`, from: "198.51.100.7" });
        statuses.push(answer.status);
      }
      expect(statuses.filter((status) => status === 401)).to.have.length(10);
      expect(statuses.filter((status) => status === 429)).to.have.length(14);
      const { secret } = await addToken(one.host, "good");
      const good = await fromElsewhere(two.host, "/api/models", { token: secret, from: "198.51.100.7" });
      expect(good.status).to.equal(200);
    });

    it("runs of a token count together, and their places are free again afterwards (X48)", async () => {
      const { secret } = await addToken(one.host, "runs");
      let free!: () => void;
      const held = new Promise<void>((resolve) => (free = resolve));
      for (const { provider } of [one, two])
        provider.play(() => {
          const { body, ...reply } = chatReply({ text: "Late." });
          return { ...reply, body: [{ until: held }, ...body] };
        });
      const chat = async ({ host }: Stage, id: string) =>
        fromElsewhere(host, "/api/chat/completions", {
          method: "POST",
          token: secret,
          body: ask("Question", { conversationId: id }),
        });
      const asked = [chat(one, "a"), chat(two, "b"), chat(one, "c"), chat(two, "d")];
      const refused: unknown[] = [];
      for (const answer of asked)
        void answer.then(({ status, body }) => status === 429 && refused.push(body.error.code));
      await eventually(() => refused.length === 2);
      expect(refused).to.deep.equal(["rate_limited", "rate_limited"]);
      free();
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.toSorted()).to.deep.equal([200, 200, 429, 429]);
      await eventually(async () => (await chat(two, "e")).status === 200);
    });
  });
});
