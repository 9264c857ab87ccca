import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { thinkTool } from "../../../plugins/tool-think/index.ts";
import type { KitHost } from "../../../sdk/testing/conformance/kit-host.ts";
import { checkRule } from "../../../sdk/testing/conformance/rule.ts";
import { toolRules } from "../../../sdk/testing/conformance/tool-rules.ts";
import type { ToolStage } from "../../../sdk/testing/conformance/tool-stage.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";
import { expectAllBroken, verdictOf } from "./broken-rules.ts";
import { openSmallHost } from "./small-host.ts";

const parameters = `{ word: { type: "string", description: "What it is about" } }`;
const sound = {
  parameters,
  look: `return { data: word };`,
  more: ``,
  keep: `await context.collection("kept").put({ id: context.callId, word }); return { data: word };`,
  wait: `await new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(context.signal.reason)));`,
};

type Parts = typeof sound;

const codeOf = (name: string, parts: Parts): string => `
let waiting = 0;
const fail = (code) => Object.assign(new Error("no luck"), {
  [Symbol.for("pergola.AppError")]: true, [Symbol.for("pergola.ToolError")]: true, code, hint: "" });
const word = { parameters: ${parts.parameters}, required: ["word"] };
const examples = [{ say: "tea", arguments: { word: "tea" } }];
export default {
  collections: { kept: { indexes: [] } },
  tools: [{
    name: "${name}", description: "A tool under test",
    operations: [
      { name: "look", description: "Looks", effect: "read", ...word, examples, ${parts.more}
        async run({ word }, context) { ${parts.look} } },
      { name: "keep", description: "Keeps", effect: "write", place: "own", recovery: "repeat", ...word, examples,
        async run({ word }, context) { ${parts.keep} } },
      { name: "wait", description: "Waits", effect: "write", place: "own", parameters: {}, required: [],
        async run(args, context) { ${parts.wait} } },
    ],
  }],
};`;

const random = sound.keep.replace("context.callId", "String(Math.random())");
const never = "await new Promise(() => {});";

/** For each rule a change that breaks it, and what the kit says then. */
const broken: Readonly<Record<string, readonly [Partial<Parts>, said: string]>> = {
  descriptions: [{ parameters: `{ word: { type: "string" } }` }, "These have no description: "],
  answers: [{ look: `throw fail("unavailable");` }, "failed (unavailable: no luck)"],
  "bad input": [
    { look: `return { data: word.trim()[0].toUpperCase() };` },
    'with word "" ended with a fault that it does not foresee (generic_error: ',
  ],
  "undeclared access": [
    { look: `return { data: (await import("node:fs")).readFileSync("/etc/passwd.", "utf8") };` },
    "went past its context",
  ],
  "restart in the call": [{ keep: random }, "the second call leaves other records"],
  abort: [{ wait: never }, "after its signal was aborted, took longer than"],
  "abort in a host": [{ wait: never }, "had to end the plugin's process"],
  slow: [
    {
      look: `if (waiting > 0) throw fail("busy"); return { data: word };`,
      wait: `waiting += 1; ${sound.wait}`,
    },
    "A call beside one that waits failed (busy: no luck)",
  ],
  crash: [
    {
      look: `if (await context.collection("kept").get("lock")) throw fail("conflict"); return { data: word };`,
      wait: `await context.collection("kept").put({ id: "lock" }); ${sound.wait}`,
    },
    "the next call failed (conflict: no luck)",
  ],
  "late failure": [
    { look: `setTimeout(() => { throw new Error("too late"); }, 20); return { data: word };` },
    "After its calls had ended, the process failed (crash)",
  ],
  "huge output": [
    { look: `return { data: "x".repeat(100_000) };`, more: "keepWhole: true," },
    "The model was sent ",
  ],
};

describe("the conformance kit of tools", function () {
  this.timeout(60_000);
  let opened: KitHost;
  const folder = temporaryFolder("pergola-kit-");
  const write = (id: string, parts: Partial<Parts>): string => {
    const name = id.replaceAll("-", "_");
    return writePlugin(folder, {
      id,
      provides: { tools: { [name]: ["look", "keep", "wait"] } },
      code: codeOf(name, { ...sound, ...parts }),
    });
  };
  const idOf = (rule: string): string => `tool-breaks-${rule.replaceAll(" ", "-")}`;
  const stageOf = async (id: string): Promise<ToolStage> => {
    const entry = pathToFileURL(path.join(folder, id, "index.js")).href;
    const { default: plugin } = (await import(entry)) as {
      readonly default: { readonly tools: readonly [Tool] };
    };
    const endless = { operation: "wait", arguments: {} };
    return { id, plugin: path.join(folder, id), tool: plugin.tools[0], endless, ...opened };
  };

  before(async () => {
    const plugins = [
      write("tool-sound", {}),
      ...Object.entries(broken).map(([rule, [parts]]) => write(idOf(rule), parts)),
    ];
    opened = await openSmallHost(plugins.map((use) => ({ use, isolation: "process" })));
  });
  after(() => opened.close());

  it("has a plugin that breaks each rule", () => expectAllBroken(toolRules, broken));

  it("lets a sound plugin pass", async () => {
    const stage = await stageOf("tool-sound");
    for (const rule of toolRules) await checkRule(rule, stage);
  });

  it("lets an official plugin pass", async () => {
    const ours: ToolStage = {
      ...opened,
      id: "tool-think",
      plugin: { use: "@pergola/tool-think", isolation: "trusted" },
      tool: thinkTool,
    };
    for (const rule of toolRules) if (rule.applies?.(ours) ?? true) await checkRule(rule, ours);
  });

  for (const [rule, [, said]] of Object.entries(broken))
    it(`finds what breaks the rule "${rule}"`, async () => {
      expect(await verdictOf(toolRules, rule, await stageOf(idOf(rule)))).to.include(said);
    });
});
