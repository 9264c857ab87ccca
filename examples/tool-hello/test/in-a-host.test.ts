import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import {
  chatReply,
  mockProviderServer,
  startTestHost,
  temporaryFolder,
  type MockProviderServer,
  type TestHost,
} from "@pergola/sdk/testing";

/** The plugin as a host finds it: by its folder, built. */
const plugin = path.resolve(import.meta.dirname, "..");

/** A process of its own needs a sandbox; on Linux that is bubblewrap. */
const hasSandbox = (): boolean =>
  process.platform !== "linux" ||
  spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]).status === 0;

describe("pergola-tool-hello in a host", function () {
  this.timeout(30_000);
  let model: MockProviderServer;
  let host: TestHost;
  const workingDirectory = temporaryFolder();
  const call = async (tool: string, args: object) => {
    const { body } = await host.json<{ result: string }>("POST", "/debug/mcp/execute", {
      tool,
      arguments: args,
      workingDirectory,
    });
    return body.result;
  };

  before(async function () {
    if (!hasSandbox()) {
      process.stdout.write("skipped: bwrap is missing or may not make namespaces (Debian: bubblewrap)\n");
      return this.skip();
    }
    model = await mockProviderServer();
    host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: {
        default_model: "custom/test",
        "tools.hello.greeting": "Hi",
        "providers.list": [{ type: "custom", base_url: model.baseUrl }],
        "models.overrides": { "custom/test": { supportsTools: true } },
      },
    });
  });
  after(async () => {
    await host?.stop();
    await model?.close();
  });

  it("runs in a process of its own, without a fault", () => {
    const status = host.services.system.plugins().find(({ id }) => id === "pergola-tool-hello");
    expect(status).to.include({ state: "running", tier: "isolated", fault: null });
  });

  it("greets with the word of the settings, remembers, and reads files", async () => {
    await writeFile(path.join(workingDirectory, "guests.txt"), "Ada\nGrace\n");
    expect(await call("hello.greet", { name: "Ada" })).to.equal("Hi, Ada!");
    expect(JSON.parse(await call("hello.remember_guest", { name: "Ada" }))).to.deep.equal({
      name: "Ada",
      visits: 1,
      known: 1,
    });
    expect(JSON.parse(await call("hello.greet_file", { path: "guests.txt" }))).to.deep.equal([
      "Hi, Ada!",
      "Hi, Grace!",
    ]);
  });

  it("answers the calls of a model", async () => {
    const args = { operation: "greet", name: "Ada" };
    model.play([
      chatReply({ toolCalls: [{ name: "hello", arguments: args }] }),
      chatReply({ text: "Greeted." }),
    ]);
    const messages = [{ role: "user", content: "Greet Ada." }];
    await host.json("POST", "/api/chat/completions", { model: "default", messages });
    const { body } = await model.request(1);
    const sent = (
      body as { readonly messages: readonly { readonly role: string; readonly content: string }[] }
    ).messages;
    expect(sent.findLast(({ role }) => role === "tool")?.content).to.include("Hi, Ada!");
  });
});
