import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { TestHost, TestHostOptions } from "@pergola/sdk/testing";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { isInDataDirectory } from "../support/chosen-storage.ts";
import { officialPlugins } from "../support/host.ts";
import {
  described,
  doorkeeper,
  fromElsewhere,
  openPlain,
  patch,
  shown,
  type Changed,
} from "../support/preference-stage.ts";
import { recordingLog } from "../support/recording-log.ts";
import { verifies } from "../support/verifies.ts";

const loopback = process.platform === "linux" ? "same-user" : "none";

describe("preferences", () => {
  const open: TestHost[] = [];
  afterEach(async () => {
    for (const host of open.splice(0)) await host.stop();
  });
  const start = async (options: TestHostOptions = {}): Promise<TestHost> => {
    const host = await openPlain(options);
    open.push(host);
    return host;
  };
  const durable = (options: TestHostOptions = {}): Promise<TestHost> =>
    start({ ...options, settings: { storage: { type: "sqlite" }, ...options.settings } });
  const sourceOf = async (host: TestHost, key: string) =>
    (await described(host)).find((entry) => entry.key === key)?.source;

  verifies(
    ["preferences:list", "R09"],
    "show what is in force, with the defaults under names of their own",
    async () => {
      const host = await start({
        settings: { default_model: "custom/one" },
        environment: { PERGOLA_USER_NAME: "Ada" },
      });
      await patch(host, { default_personality_id: "a-personality", "tools.timeout_seconds": 60 });
      const { preferences, ...defaults } = await shown(host);
      expect(defaults).to.deep.equal({
        defaultModel: "custom/one",
        defaultSystemPromptId: "00000000-0000-0000-0000-000000000001",
        defaultPersonalityId: "a-personality",
      });
      expect(preferences).to.include({
        "user.name": "Ada",
        "tools.timeout_seconds": 60,
        "mcp.approval_seconds": 45,
      });
      const sources = ["default_model", "user.name", "tools.timeout_seconds", "mcp.approval_seconds"].map(
        (key) => sourceOf(host, key),
      );
      expect(await Promise.all(sources)).to.deep.equal(["file", "environment", "stored", "default"]);
    },
  );

  verifies(["preferences:refused", "R10"], "change all or none, and every fault is told", async () => {
    const host = await durable();
    const before = await shown(host);
    const body = {
      "user.name": "Ada",
      "workflow.max_iterations": 5000,
      "log.levl": "debug",
      "server.port": "8081",
      "log.level": "debug",
    };
    const { status, body: told } = await patch(host, body);
    expect([status, told.error?.code]).to.deep.equal([400, "unknown_preference"]);
    expect(told.error?.message).to.equal('There is no preference "log.levl". Did you mean "log.level"?');
    expect(told.error?.details?.faults.map(({ param, code }) => [param, code])).to.have.deep.members([
      ["log.levl", "unknown_preference"],
      ["workflow.max_iterations", "out_of_range"],
      ["server.port", "invalid_value"],
    ]);
    expect(await shown(host)).to.deep.equal(before);
    await host.restart();
    expect(await shown(host)).to.deep.equal(before);
    for (const nothing of [[], "text", 5]) expect((await patch(host, nothing)).status).to.equal(400);
    expect((await patch(host, {})).body).to.deep.equal({
      success: true,
      preferences: {},
      restartRequired: [],
    });
  });

  verifies("preferences:patch", "lose nothing of changes that come at once", async () => {
    const host = await durable();
    const whole = (await described(host)).filter(
      ({ type, source, protected: kept }) => type === "integer" && source === "default" && !kept,
    );
    const keys = whole.filter(({ range }) => range?.["minimum"] !== undefined);
    expect(keys.length).to.be.above(15);
    const change = Object.fromEntries(keys.map(({ key, range }) => [key, range?.["minimum"]]));
    const answers = await Promise.all(
      Object.entries(change).map(([key, value]) => patch(host, { [key]: value })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    await host.restart();
    expect((await shown(host)).preferences).to.deep.include(change);
  });

  verifies(
    "preferences:fixed",
    "are not changed where something stronger has set them, and it is named",
    async () => {
      const host = await durable({
        settings: { "user.name": "File" },
        environment: { PERGOLA_USER_LOCATION: "Here" },
      });
      for (const [key, place] of [
        ["user.name", "the settings file"],
        ["user.location", "PERGOLA_USER_LOCATION"],
        ["storage.durability", "before the store is open"],
      ] as const) {
        for (const value of [key === "storage.durability" ? "process" : "Other", null]) {
          const { status, body } = await patch(host, { [key]: value, "user.language": "de" });
          expect([status, body.error?.code, body.error?.param], key).to.deep.equal([
            409,
            "set_elsewhere",
            key,
          ]);
          expect(body.error?.message).to.include(place);
          const refusal = (await described(host)).find((one) => one.key === key)?.refusal;
          expect(refusal).to.equal(body.error?.message);
        }
      }
      const free = (await described(host)).find(({ key }) => key === "user.language");
      expect(free?.refusal).to.equal(null);
      expect((await shown(host)).preferences).to.include({
        "user.name": "File",
        "user.location": "Here",
        "user.language": "",
      });
    },
  );

  verifies(
    ["preferences:remote", "A32"],
    "that are protected are for the person's own computer",
    async () => {
      const host = await start({
        plugins: [...officialPlugins(), doorkeeper],
        settings: { "rate_limit.burst": 10_000 },
      });
      const remote = async (body: object) => {
        const answer = await host.request("PATCH", "/api/preferences", body, fromElsewhere);
        return { status: answer.status, body: (await answer.json()) as Changed };
      };
      const all = (await described(host)).filter((entry) => entry.protected || entry.secret);
      expect(all.map(({ key }) => key)).to.include.members([
        "auth.loopback",
        "auth.token",
        "tools.disabled",
        "server.remote_admin",
      ]);
      for (const { key, default: usual } of all) {
        const { status, body } = await remote({
          [key]: usual,
          "user.name": "Mallory",
        });
        expect([status, body.error?.code, body.error?.param], key).to.deep.equal([
          403,
          "remote_not_allowed",
          key,
        ]);
      }
      expect((await remote({ "no.such": 1, "auth.loopback": "none" })).status).to.equal(403);
      expect((await remote({ "user.name": "Guest" })).status).to.equal(200);
      expect((await patch(host, { "server.remote_admin": true })).status).to.equal(200);
      expect((await remote({ "rate_limit.parallel_runs": 5 })).status).to.equal(200);
      expect((await shown(host)).preferences).to.include({
        "user.name": "Guest",
        "rate_limit.parallel_runs": 5,
        "auth.loopback": loopback,
      });
    },
  );

  verifies(
    "preferences:remote",
    "that would let nobody in, or anybody, are refused while no plugin looks at tokens",
    async () => {
      const others = officialPlugins().filter(({ use }) => !use.endsWith("policy-access"));
      const dataDirectory = temporaryFolder();
      const guarded = await durable({ plugins: [...others, doorkeeper], dataDirectory });
      expect(
        (
          await patch(guarded, {
            "server.allow_remote": true,
            "server.allow_plain_http": true,
            "auth.loopback": "token",
          })
        ).status,
      ).to.equal(200);
      await guarded.stop();
      const log = recordingLog();
      const host = await durable({ plugins: others, dataDirectory, log });
      for (const change of [{ "server.allow_remote": true }, { "auth.loopback": "token" }]) {
        const { status, body } = await patch(host, change);
        expect([status, body.error?.code, body.error?.param]).to.deep.equal([
          400,
          "invalid_value",
          Object.keys(change)[0],
        ]);
        expect(body.error?.message).to.include("needs a plugin that checks tokens");
      }
      expect((await shown(host)).preferences).to.include({
        "server.allow_remote": false,
        "auth.loopback": loopback,
      });
      const warned = log.lines
        .filter(({ message }) => message.startsWith("A stored preference is left out"))
        .map(({ fields }) => fields);
      expect(warned).to.have.deep.members([
        { preference: "server.allow_remote" },
        { preference: "auth.loopback" },
      ]);
    },
  );

  verifies("preferences:patch", "T18: the browser for pages with scripts is one of them", async () => {
    const key = "tools.web.browser_command";
    const host = await start();
    expect((await patch(host, { [key]: "chromium" })).status).to.equal(200);
    const { body } = await patch(host, { [key]: 7 });
    expect([body.error?.code, body.error?.param]).to.deep.equal(["invalid_value", key]);
    const fromFile = await start({ settings: { [key]: "chromium" } });
    expect((await shown(fromFile)).preferences[key]).to.equal("chromium");
  });

  verifies(
    "preferences:secrets",
    "are never shown again, logged or echoed; their file is its user's alone",
    async () => {
      const log = recordingLog();
      const host = await durable({ log, environment: { KEY_OF_WEB: "canary-from-the-environment" } });
      const secrets = {
        "auth.token": "canary-token-0123456789-0123456789-0123",
        "tools.web.search_keys": { brave: "canary-of-brave", tavily: { env: "KEY_OF_WEB" } },
        "tools.calendar.caldav": {
          url: "https://dav.example.org",
          user: "ada",
          password: "canary-of-the-calendar",
        },
        "providers.list": [{ type: "openai", api_key: "canary-of-a-provider", enabled: false }],
      };
      const answer = await patch(host, secrets);
      expect([answer.status, answer.body.preferences]).to.deep.equal([
        200,
        Object.fromEntries(Object.keys(secrets).map((key) => [key, { set: true }])),
      ]);
      const wrong = await patch(host, {
        "tools.image.api_key": "canary-of-a-bad-request",
        "tools.web.search_keys": { brave: 5 },
      });
      expect(wrong.status).to.equal(400);
      const said = [wrong.body, await shown(host), await described(host), log.lines]
        .map((each) => JSON.stringify(each))
        .join("\n");
      expect(said).to.not.include("canary");
      const echo =
        "canary-of-the-calendar canary-token-0123456789-0123456789-0123 canary-of-a-bad-request canary-from-the-environment";
      const { body } = await host.json<{ result: string }>("POST", "/debug/mcp/execute", {
        tool: "think",
        arguments: { thoughts: echo },
      });
      expect(JSON.stringify(body)).to.not.include("canary-");
      expect(host.services.preferences.get("tools.web.search_keys")).to.deep.equal({
        brave: "canary-of-brave",
        tavily: "canary-from-the-environment",
      });
      await host.restart();
      expect((await shown(host)).preferences["auth.token"]).to.deep.equal({ set: true });
      const files = readdirSync(host.dataDirectory).filter((name) => {
        const full = path.join(host.dataDirectory, name);
        return statSync(full).isFile() && readFileSync(full).includes("canary");
      });
      for (const name of files)
        expect(statSync(path.join(host.dataDirectory, name)).mode & 0o077, name).to.equal(0);
      const kept = files.map((name) => readFileSync(path.join(host.dataDirectory, name), "latin1")).join("");
      expect(kept.includes("canary-of-brave")).to.equal(isInDataDirectory);
      expect(kept).to.not.include("canary-from-the-environment");
    },
  );
});
