import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { officialPlugins, type Stage } from "../support/host.ts";
import {
  answer,
  calling,
  labCall,
  labPlugin,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { verifies } from "../support/verifies.ts";

const operation = (effect: string) =>
  `{ name: "go", description: "Goes", effect: "${effect}", parameters: { command: { type: "string" } }, required: [], run: async () => ({ data: "went" }) }`;

/** Stands for a family that ships switched off: by its name in `tools.disabled`, or by its manifest. */
function family(name: string, manifest: Record<string, boolean> = {}): object {
  const id = `tool-${name.replaceAll("_", "-")}`;
  const code = `export default { tools: [{ name: "${name}", description: "A tool", operations: [${operation("execute")}] }] };`;
  return {
    use: writePlugin(temporaryFolder(), { id, provides: { tools: { [name]: ["go"] } }, manifest, code }),
    isolation: "trusted",
  };
}

/** The official family gives way to one that runs nothing. */
const others = officialPlugins().filter(
  (plugin) => !JSON.stringify(plugin).includes("tool-terminal-operations"),
);
const plugins = [
  ...others,
  labPlugin,
  family("terminal_operations"),
  family("shy_tool", { enabledByDefault: false }),
] as never;
const terminal = (command: string) => calling({ name: "terminal_operations", arguments: { command } });

describe("families that ship switched off", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { plugins });
  });
  after(() => stage.end());

  const offered = (): readonly string[] =>
    (stage.provider.requests.at(-1)?.body as { tools: { function: { name: string } }[] }).tools.map(
      ({ function: { name } }) => name,
    );
  const codeOf = async (conversation: string) =>
    (await outcomesOf(stage.host, conversation)).at(-1)?.error_code ?? "ok";
  const override = (conversation: string, value: boolean) =>
    stage.host.json("PATCH", `/v1/conversations/${conversation}`, {
      settings: { toolOverrides: { terminal_operations: value } },
    });

  verifies("policy:off-by-default", "are not offered and do not run", async () => {
    await play(stage, [terminal("ls"), saying("ok")], { conversationId: "off" });
    expect(await codeOf("off")).to.equal("tool_disabled");
    expect(offered()).to.include("lab").and.to.not.include("terminal_operations");
    expect(offered()).to.not.include("shy_tool");
    await play(stage, [calling({ name: "shy_tool", arguments: {} }), saying("ok")], {
      conversationId: "off",
    });
    expect(await codeOf("off")).to.equal("tool_disabled");
    const { body } = await stage.host.json<{ tools: { name: string; enabled: boolean }[] }>(
      "GET",
      "/debug/tools/available",
    );
    const off = body.tools.filter(({ enabled }) => !enabled).map(({ name }) => name);
    expect(off.toSorted()).to.deep.equal([
      "agent_operations",
      "remote_execution",
      "shy_tool",
      "terminal_operations",
    ]);
  });

  verifies(
    ["policy:off-by-default", "A30"],
    "can be switched on for a request; each call still asks",
    async () => {
      const more = { conversationId: "on", service_config: { enable_terminal_access: true } };
      const asked = play(stage, [terminal("one"), terminal("two"), saying("ok")], more);
      const first = await pendingIn(stage.host, "on");
      expect([first.effect, first.arguments]).to.deep.equal(["execute", { command: "one" }]);
      await answer(stage.host, first.toolCallId, { approved: true });
      const second = await pendingIn(stage.host, "on", first);
      expect(second.arguments).to.deep.equal({ command: "two" });
      await answer(stage.host, second.toolCallId, { approved: false });
      await asked;
      expect((await outcomesOf(stage.host, "on")).map(({ error_code: code = "ok" }) => code)).to.deep.equal([
        "ok",
        "denied",
      ]);
      expect(offered()).to.include("terminal_operations");
      await play(stage, [terminal("three"), saying("ok")], { conversationId: "on" });
      expect(await codeOf("on")).to.equal("tool_disabled");
    },
  );

  verifies(
    "policy:off-by-default",
    "follow the request before the conversation, and that before the preference",
    async () => {
      await play(stage, [saying("Hello.")], { conversationId: "mine" });
      await override("mine", true);
      await play(stage, [saying("Hello.")], { conversationId: "mine" }, "again");
      expect(offered()).to.include("terminal_operations");
      await play(
        stage,
        [terminal("x"), saying("ok")],
        { conversationId: "mine", service_config: { enable_terminal_access: false } },
        "once more",
      );
      expect(await codeOf("mine")).to.equal("tool_disabled");
      await play(stage, [saying("Hello.")], { conversationId: "other" });
      expect(offered()).to.not.include("terminal_operations");
    },
  );
});

describe("switches of the policy", () => {
  const outside = temporaryFolder();
  let stage: Stage;
  before(async () => {
    const preferences = {
      "authorization.auto_approve": ["lab.wipe", "execute"],
      "authorization.ask": ["lab.peek"],
      "authorization.protected_paths": [`${outside}/keys`],
      "tools.disabled": [],
    };
    stage = await openLab([], { plugins, settings: preferences });
  });
  after(() => stage.end());

  it("S25: refuses names that mean no operation, which would protect nothing", async () => {
    const open = await openLab([], { plugins });
    const patch = (values: object) =>
      open.host.json<{ error?: { code: string; message: string; param: string } }>(
        "PATCH",
        "/api/preferences",
        values,
      );
    for (const key of ["authorization.ask", "authorization.auto_approve"]) {
      const { status, body } = await patch({ [key]: ["lab.wipe", "lab.wpie"] });
      expect([status, body.error?.code, body.error?.param]).to.deep.equal([400, "invalid_value", key]);
      expect(body.error?.message).to.include('"lab.wpie"').and.include("lab.wipe");
      expect((await patch({ [key]: ["wirte"] })).status).to.equal(400);
      expect((await patch({ [key]: ["nowhere.read"] })).status).to.equal(400);
      expect((await patch({ [key]: ["lab.look"] })).body.error?.message).to.include("lab.peek");
    }
    await open.end();
  });

  const treatment = async (tool: string, args: object, more: object = {}) => {
    const { body } = await stage.host.json<{ success: boolean; error_code?: string }>(
      "POST",
      "/debug/mcp/execute",
      {
        tool,
        arguments: args,
        ...more,
      },
    );
    return body.success ? "allow" : body.error_code;
  };

  verifies(["policy:table", "policy:off-by-default"], "lift an approval, or add one", async () => {
    expect(await treatment("lab.wipe", { name: "a" })).to.equal("allow");
    expect(await treatment("lab.launch", { name: "a" })).to.equal("allow");
    expect(await treatment("terminal_operations", {})).to.equal("allow");
    expect(await treatment("lab.mail", { name: "a" })).to.equal("approval_required");
    expect(await treatment("lab.peek", { name: "a" })).to.equal("approval_required");
    expect(await treatment("lab.scan", { name: "a" })).to.equal("allow");
  });

  verifies(
    ["policy:never", "policy:protected"],
    "never open the service's own files or a protected path",
    async () => {
      const { dataDirectory } = stage.host;
      const calls = [
        labCall("wipe", "a", { path: `${dataDirectory}/secrets` }),
        labCall("launch", "a", { path: `${dataDirectory}/secrets` }),
      ];
      for (const { arguments: args } of calls)
        expect(await treatment("lab", args as object)).to.equal("permission_denied");
      expect(await treatment("lab.wipe", { name: "a", path: `${outside}/keys/id` })).to.equal(
        "approval_required",
      );
      const byHand = { isUserInitiated: true };
      expect(await treatment("lab.wipe", { name: "a", path: `${dataDirectory}/secrets` }, byHand)).to.equal(
        "permission_denied",
      );
      expect(await treatment("lab.mail", { name: "by hand" }, byHand)).to.equal("allow");
      expect(lab.log).to.include("end by hand");
    },
  );
});
