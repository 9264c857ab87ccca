import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { officialPlugins, ask, type Stage } from "../support/host.ts";
import { calling, labCall, labPlugin, outcomesOf, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { addToken, fromElsewhere, openDoorStage } from "./door-scene.ts";

interface Offered {
  readonly tools?: readonly {
    readonly function: {
      readonly name: string;
      readonly parameters: { readonly properties?: { readonly operation?: { readonly enum?: string[] } } };
    };
  }[];
}

describe("a token that may chat and use no tools", () => {
  let stage: Stage;
  let token = "";
  let able = "";
  before(async () => {
    lab.reset();
    stage = await openDoorStage({
      plugins: [...officialPlugins(), labPlugin],
      settings: { "tools.disabled": [] },
    });
    token = (await addToken(stage.host, "x43", { scopes: ["read", "chat"] })).secret;
    able = (await addToken(stage.host, "x43 able", { scopes: ["read", "chat", "tools"] })).secret;
  });
  after(() => stage.end());

  const chat = (more: object, by = token) =>
    fromElsewhere(stage.host, "/api/chat/completions", {
      method: "POST",
      token: by,
      body: ask("Do it", more),
    });

  /** The operations with an effect that the model is offered in the last request. */
  async function effectful(): Promise<readonly string[]> {
    const entries = await stage.host.services.tools.list();
    const { tools = [] } = stage.provider.requests.at(-1)?.body as Offered;
    return tools.flatMap(({ function: { name, parameters } }) => {
      const { operations = [] } = entries.find((entry) => entry.name === name) ?? {};
      const offered = parameters.properties?.operation?.enum ?? operations.map((one) => one.name);
      const named = operations.filter((one) => one.effect !== "none" && offered.includes(one.name));
      return named.map((one) => `${name}.${one.name}`);
    });
  }

  it("X43 is offered no tool with an effect, whatever the request names", async () => {
    const names = ["lab", "file_operations", "terminal_operations", "agent_operations"];
    const tools = names.map((name) => ({ type: "function", function: { name } }));
    const requests = [{}, { service_config: { builtin_tools: "all" } }, { tools }];
    for (const more of requests) {
      stage.provider.play([saying("ok")]);
      expect((await chat(more)).status).to.equal(200);
      expect(await effectful()).to.deep.equal([]);
      stage.provider.play([saying("ok")]);
      expect((await chat(more, able)).status).to.equal(200);
      expect(await effectful(), "the same with tools").to.include("file_operations.create_file");
    }
  });

  it("X43 switches no tools on, and begins nothing where it tries", async () => {
    const before = stage.provider.requests.length;
    for (const key of ["enable_terminal_access", "enable_workflow_mode", "enable_remote_execution"]) {
      const { status, body } = await chat({ service_config: { [key]: true } });
      expect(`${key} ${status} ${body.error.code}`).to.equal(`${key} 403 insufficient_scope`);
    }
    const settings = { toolOverrides: { terminal_operations: true } };
    const made = await fromElsewhere(stage.host, "/v1/conversations", {
      method: "POST",
      token,
      body: { id: "x43-switched", title: "Switched", settings },
    });
    expect([made.status, made.body.error.code]).to.deep.equal([403, "insufficient_scope"]);
    expect(stage.provider.requests.length).to.equal(before);
  });

  it("X43 has no call with an effect run that a model makes all the same, nor by a sub-agent", async () => {
    const spawn = { operation: "spawn", task: "Write a file", title: "Helper" };
    stage.provider.play([
      calling(
        labCall("wipe", "x43"),
        labCall("keep", "x43"),
        labCall("peek", "x43"),
        { name: "file_operations", arguments: { operation: "create_file", filePath: "x43", content: "x" } },
        { name: "terminal_operations", arguments: { operation: "run_command", command: "touch x43" } },
        { name: "agent_operations", arguments: spawn },
      ),
      saying("done"),
    ]);
    const before = stage.provider.requests.length;
    expect((await chat({ conversationId: "x43-calls" })).status).to.equal(200);
    const outcomes = await outcomesOf(stage.host, "x43-calls");
    expect(outcomes).to.have.lengthOf(6);
    for (const { success, error_code: code } of outcomes) {
      expect(success).to.equal(false);
      expect(code).to.be.oneOf(["permission_denied", "tool_disabled"]);
    }
    expect(lab.log).to.deep.equal([]);
    expect(stage.provider.requests.length - before, "no sub-agent asked the model").to.equal(1);
    const files = readdirSync(stage.host.dataDirectory, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => path.basename(file) === "x43")).to.deep.equal([]);
  });
});
