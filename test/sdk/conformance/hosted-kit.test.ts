import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { Plugin, Route } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { getModel, listModels } from "../../../plugins/endpoint-models/routes.ts";
import {
  endpointRules,
  type EndpointStage,
  type PlainRequest,
  type SampleRequest,
} from "../../../sdk/testing/conformance/endpoint-rules.ts";
import { hostedRules, type HostedStage } from "../../../sdk/testing/conformance/hosted-rules.ts";
import type { KitHost } from "../../../sdk/testing/conformance/kit-host.ts";
import { checkRule } from "../../../sdk/testing/conformance/rule.ts";
import { expectAllBroken, verdictOf } from "./broken-rules.ts";
import {
  setMischief,
  writeBundle,
  writeEndpoints,
  writePolicy,
  writeSecretPolicy,
  writeTersePolicy,
} from "./mischief.ts";
import { openSmallHost } from "./small-host.ts";

/** For each rule the plugin that breaks it, and what the kit says then; restarts come last. */
const brokenPolicies: Readonly<Record<string, readonly [id: string, said: string]>> = {
  "undeclared access": ["policy-secretive", "The plugin is left out: policy-secretive, "],
  descriptions: ["policy-terse", "These settings have no description: terse.limit."],
  answers: ["policy-mischief", "A chat was answered with 500"],
  decisions: ["policy-mischief", "must be refused; the model got: "],
  abort: ["policy-mischief", "The hook runEnded failed: "],
  slow: ["policy-mischief", "A chat was answered with 500"],
  crash: ["policy-mischief", "The hook modelCallEnded failed: "],
  "huge output": ["policy-mischief", "was answered with 500"],
  "restart in the call": ["policy-mischief", "The plugin is left out: policy-mischief, start: no luck"],
};

const tea = { params: { id: "tea" } };
const text = { body: { text: "tea" } };

interface BrokenRoute {
  /** Without `/api/mischief/`. */
  readonly requests: readonly SampleRequest[];
  readonly endless?: PlainRequest;
  readonly said: string;
}

const brokenRoutes: Readonly<Record<string, BrokenRoute>> = {
  "undeclared access": {
    requests: [{ route: "POST open", ...text }],
    said: "Anybody may call POST /api/mischief/open",
  },
  descriptions: { requests: [{ route: "GET terse" }], said: "GET /api/mischief/terse: limit" },
  answers: { requests: [{ route: "GET fails" }], said: "GET /api/mischief/fails answered 500" },
  "bad input": { requests: [{ route: "GET odd/{id}", ...tea }], said: "a fault that it does not foresee" },
  abort: { requests: [], endless: { route: "GET deaf" }, said: "after its client had gone, took longer" },
  slow: {
    requests: [{ route: "GET lone" }],
    endless: { route: "GET lone-wait" },
    said: "A request beside one that waits was answered with 500",
  },
  crash: { requests: [{ route: "GET stray" }], said: "nobody awaits: Error: nobody awaits this" },
  "huge output": { requests: [{ route: "POST narrow", ...text }], said: "with text of 1 MB answered 500" },
  "restart in the call": {
    requests: [{ route: "GET locked" }],
    endless: { route: "GET lock-wait" },
    said: "GET /api/mischief/locked answered 500",
  },
};

const full = <R extends SampleRequest>(request: R): R => ({
  ...request,
  route: request.route.replace(" ", " /api/mischief/"),
});

const without = (what: string) => (rule: { readonly name: string }) => !rule.name.startsWith(what);

describe("the conformance kits of what works inside the host", function () {
  this.timeout(60_000);
  let opened: KitHost;
  let routes: readonly Route[];
  const think = { name: "think", arguments: { operation: "think", thoughts: "Tea." } };
  const hosted = (id: string): HostedStage => ({ id, plugin: id, denies: [think], ...opened });
  const endpoint = (requests: readonly SampleRequest[], endless?: PlainRequest): EndpointStage => {
    const named = [...requests, ...(endless === undefined ? [] : [endless])].map(({ route }) => route);
    return {
      id: "endpoint-mischief",
      plugin: "endpoint-mischief",
      routes: routes.filter(({ method, path: place }) => named.includes(`${method} ${place}`)),
      requests,
      ...(endless && { endless }),
      ...opened,
    };
  };

  before(async () => {
    setMischief("none");
    const folder = temporaryFolder("pergola-kit-");
    const all = [writePolicy, writeSecretPolicy, writeTersePolicy, writeEndpoints, writeBundle];
    const folders = all.map((write) => write(folder));
    opened = await openSmallHost(folders.map((use) => ({ use, isolation: "trusted" })));
    const entry = pathToFileURL(path.join(folder, "endpoint-mischief", "index.js")).href;
    const { default: plugin } = (await import(entry)) as { readonly default: Plugin };
    routes = plugin.endpoints?.[0]?.routes ?? [];
  });
  afterEach(() => setMischief("none"));
  after(() => opened.close());

  it("have a plugin that breaks each rule", () => {
    expectAllBroken(hostedRules, brokenPolicies);
    expectAllBroken(endpointRules, brokenRoutes);
  });

  it("let a sound policy pass, of others and of ours", async () => {
    for (const rule of hostedRules.filter(without("restart"))) {
      await checkRule(rule, hosted("policy-mischief"));
      const { denies: _, ...ours } = hosted("policy-prompt");
      await checkRule(rule, ours);
    }
  });

  it("find a bundle of which a plugin is left out", async () => {
    expect(await verdictOf(hostedRules, "undeclared access", hosted("bundle-mischief"))).to.include(
      "policy-secretive, which it brings, is left out: ",
    );
  });

  it("let sound routes pass, of others and of ours", async () => {
    const sound = endpoint(
      [
        { route: "GET sound/{id}", ...tea },
        { route: "POST sound", ...text },
      ].map(full),
      full({ route: "GET sound-wait" }),
    );
    const ours: EndpointStage = {
      ...opened,
      id: "endpoint-models",
      plugin: "endpoint-models",
      routes: [listModels, getModel],
      requests: [
        { route: "GET /api/models", query: { limit: "1" } },
        { route: "GET /api/models/{id…}", params: { id: "custom/test" } },
      ],
    };
    for (const rule of endpointRules.filter(without("restart"))) {
      await checkRule(rule, sound);
      if (rule.applies?.(ours) ?? true) await checkRule(rule, ours);
    }
  });

  it("take a path's values from the answers before", async () => {
    const seen: unknown[] = [];
    const params = (answers: readonly unknown[]) => {
      seen.push(...answers);
      return { id: String((answers[0] as { readonly length: number }).length) };
    };
    const stage = endpoint(
      [
        { route: "POST sound", ...text },
        { route: "GET sound/{id}", params },
      ].map(full),
    );
    for (const rule of endpointRules.filter(({ name }) => ["answers", "bad input"].includes(name)))
      await checkRule(rule, stage);
    expect(seen).to.deep.equal([{ length: 3 }, { length: 3 }]);
  });

  for (const [rule, { requests, endless, said }] of Object.entries(brokenRoutes))
    it(`find routes that break the rule "${rule}"`, async () => {
      const stage = endpoint(requests.map(full), endless && full(endless));
      expect(await verdictOf(endpointRules, rule, stage)).to.include(said);
    });

  for (const [rule, [id, said]] of Object.entries(brokenPolicies))
    it(`find a policy that breaks the rule "${rule}"`, async () => {
      setMischief(rule);
      expect(await verdictOf(hostedRules, rule, hosted(id))).to.include(said);
    });

  it("let a sound policy and sound routes start again", async () => {
    for (const rule of hostedRules.filter((one) => one.name.startsWith("restart")))
      await checkRule(rule, hosted("policy-mischief"));
  });
});
