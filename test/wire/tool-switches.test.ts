import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, officialPlugins, type Stage } from "../support/host.ts";
import { calling, openLab, outcomesOf, saying } from "../support/lab-stage.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { doorkeeper, fromElsewhere } from "../support/preference-stage.ts";
import { verifies } from "../support/verifies.ts";

interface Switched {
  readonly success?: true;
  readonly tool: { readonly name: string; readonly enabled: boolean; readonly operation_count: number };
  readonly error?: { readonly code: string; readonly message: string };
}

const shy = {
  use: writePlugin(temporaryFolder(), {
    id: "tool-shy-tool",
    provides: { tools: { shy_tool: ["go"] } },
    manifest: { enabledByDefault: false },
    code: `export default { tools: [{ name: "shy_tool", description: "Shy",
      operations: [{ name: "go", description: "Goes", effect: "read", parameters: {}, required: [], run: async () => ({ data: "went" }) }] }] };`,
  }),
  isolation: "trusted",
};

describe("switches of tool families", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openLab([], { plugins: [...officialPlugins(), doorkeeper, shy] });
  });
  afterEach(() => stage.end());

  const change = async (name: string, body: object, headers = {}) => {
    const answer = await stage.host.request("PATCH", `/api/tools/${name}`, body, headers);
    return { status: answer.status, body: (await answer.json()) as Switched };
  };
  const enabled = async (name: string, query = "") =>
    (await stage.host.json<{ enabled: boolean }>("GET", `/api/tools/${name}${query}`)).body.enabled;
  const stored = () => stage.host.services.preferences.get<readonly string[]>("tools.disabled");
  const usual = ["terminal_operations", "agent_operations", "remote_execution"];

  for (const stream of [false, true]) {
    const thinking = calling({ name: "think", arguments: { thoughts: "?" } });
    /** Whether the model is offered the family, and what becomes of a call. */
    const tried = async (conversationId: string, more: object = {}) => {
      stage.provider.play([thinking, saying("ok")]);
      const count = stage.provider.requests.length;
      const request = ask(`Think ${Math.random()}`, { stream, conversationId, ...more });
      await (await stage.host.request("POST", "/api/chat/completions", request)).text();
      const { tools = [] } = stage.provider.requests[count]?.body as {
        tools?: { function: { name: string } }[];
      };
      const offered = tools.some((tool) => tool.function.name === "think");
      return [offered, (await outcomesOf(stage.host, conversationId)).at(-1)?.error_code ?? "ok"];
    };

    verifies(
      ["tools:switch", "R09"],
      `reach all, or one conversation before all, in ${stream ? "streams" : "whole answers"}`,
      async () => {
        expect(await tried("a")).to.deep.equal([true, "ok"]);
        const { status, body } = await change("think", { enabled: false });
        expect([status, body.success]).to.deep.equal([200, true]);
        expect(body.tool).to.include({ name: "think", enabled: false, operation_count: 1 });
        expect(await tried("a")).to.deep.equal([false, "tool_disabled"]);
        expect((await change("think", { enabled: true, conversationId: "a" })).body.tool.enabled).to.equal(
          true,
        );
        expect(await tried("a")).to.deep.equal([true, "ok"]);
        expect(await tried("b")).to.deep.equal([false, "tool_disabled"]);
        expect([await enabled("think"), await enabled("think", "?conversationId=a")]).to.deep.equal([
          false,
          true,
        ]);
        await change("think", { enabled: true });
        await change("think", { enabled: false, conversation_id: "a" });
        expect(await tried("a")).to.deep.equal([false, "tool_disabled"]);
        expect(await tried("b")).to.deep.equal([true, "ok"]);
      },
    );
  }

  verifies(["tools:switch", "policy:off-by-default"], "leave a request's own word the last", async () => {
    await change("terminal_operations", { enabled: true });
    const offered = async (more: object): Promise<boolean> => {
      stage.provider.play(saying("ok"));
      await stage.host.json("POST", "/api/chat/completions", ask("Hello", more));
      const { tools = [] } = stage.provider.requests.at(-1)?.body as {
        tools?: { function: { name: string } }[];
      };
      return tools.some((tool) => tool.function.name === "terminal_operations");
    };
    expect(await offered({ conversationId: "c" })).to.equal(true);
    expect(
      await offered({ conversationId: "c", service_config: { enable_terminal_access: false } }),
    ).to.equal(false);
    await change("terminal_operations", { enabled: false, conversationId: "c" });
    expect(await offered({ conversationId: "c" })).to.equal(false);
    expect(await offered({ conversationId: "c", service_config: { enable_terminal_access: true } })).to.equal(
      true,
    );
  });

  verifies(
    ["tools:switch", "policy:off-by-default"],
    "keep the others as they are, shy ones too, and go back to the default",
    async () => {
      expect([await enabled("shy_tool"), await enabled("terminal_operations")]).to.deep.equal([false, false]);
      await change("think", { enabled: false });
      expect(stored()).to.have.members([...usual, "think", "shy_tool"]);
      await change("think", { enabled: true });
      expect([stored(), stage.host.services.preferences.isDefault("tools.disabled")]).to.deep.equal([
        usual,
        true,
      ]);
      await change("shy_tool", { enabled: true });
      expect([await enabled("shy_tool"), await enabled("terminal_operations")]).to.deep.equal([true, false]);
      await stage.host.json("PATCH", "/api/preferences", { "tools.disabled": [...usual, "of_another_day"] });
      await change("think", { enabled: false });
      expect(stored()).to.have.members([...usual, "think", "of_another_day"]);
    },
  );

  verifies("tools:switch", "undo nothing of each other when they come at once", async () => {
    const names = ["think", "math_operations", "notes_operations", "web_operations"];
    await stage.host.json("POST", "/v1/conversations", { id: "many" });
    const answers = await Promise.all(
      names.flatMap((name) => [
        change(name, { enabled: false }),
        change(name, { enabled: false, conversationId: "many" }),
      ]),
    );
    expect(answers.map(({ status, body }) => body.error ?? status)).to.deep.equal(answers.map(() => 200));
    expect(stored()).to.include.members(names);
    const { body } = await stage.host.json<{ settings: { toolOverrides: object } }>(
      "GET",
      "/v1/conversations/many",
    );
    expect(body.settings.toolOverrides).to.deep.equal(Object.fromEntries(names.map((name) => [name, false])));
  });

  verifies("tools:switch", "say what is wrong, and change nothing", async () => {
    await stage.host.json("POST", "/v1/conversations", { id: "here" });
    for (const [name, body, status, code] of [
      ["thnk", { enabled: false }, 404, "not_found"],
      ["think", {}, 400, "missing_field"],
      ["think", { enabled: "no" }, 400, "invalid_value"],
      ["think", { enabled: null }, 400, "invalid_value"],
      ["think", { enabled: false, conversationId: "nowhere" }, 404, "not_found"],
      ["think", { enabled: false, conversationId: "" }, 400, "invalid_id"],
    ] as const) {
      const answer = await change(name, body);
      expect([answer.status, answer.body.error?.code], JSON.stringify([name, body])).to.deep.equal([
        status,
        code,
      ]);
    }
    expect((await change("thnk", { enabled: false })).body.error?.message).to.include(
      'Did you mean "think"?',
    );
    expect(await enabled("think")).to.equal(true);
  });

  verifies(["tools:switch", "A32"], "are not for remote callers, but in a conversation", async () => {
    const { status, body } = await change("terminal_operations", { enabled: true }, fromElsewhere);
    expect([status, body.error?.code]).to.deep.equal([403, "remote_not_allowed"]);
    expect(await enabled("terminal_operations")).to.equal(false);
    await stage.host.json("POST", "/v1/conversations", { id: "shared" });
    expect(
      (await change("think", { enabled: false, conversationId: "shared" }, fromElsewhere)).status,
    ).to.equal(200);
    expect([await enabled("think", "?conversationId=shared"), await enabled("think")]).to.deep.equal([
      false,
      true,
    ]);
  });
});

describe("switches of tool families that the settings file has set", () => {
  verifies(["tools:switch", "preferences:fixed"], "stay there", async () => {
    const stage = await openLab([], { settings: { "tools.disabled": ["think"] } });
    try {
      const { status, body } = await stage.host.json<Switched>("PATCH", "/api/tools/think", {
        enabled: true,
      });
      expect([status, body.error?.code]).to.deep.equal([409, "set_elsewhere"]);
      const listed = await stage.host.json<{ enabled: boolean }>("GET", "/api/tools/think");
      expect(listed.body.enabled).to.equal(false);
    } finally {
      await stage.end();
    }
  });
});
