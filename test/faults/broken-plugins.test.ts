import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  chatReply,
  mockProviderServer,
  temporaryFolder,
  type MockProviderServer,
} from "@pergola/sdk/testing";
import { createHost, type Host } from "../../core/host.ts";
import { officialPlugins } from "../support/host.ts";
import {
  brokenPart,
  entryOf,
  failingPolicy,
  hanging,
  misbehaving,
  throwing,
} from "../support/plugins/broken.ts";
import { recordingLog } from "../support/recording-log.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

interface Available {
  readonly plugins: readonly { readonly id: string; readonly state: string; readonly fault: string | null }[];
}

describe("broken plugins over HTTP", function () {
  this.timeout(30_000);
  const broken = [...throwing, ...hanging];
  const log = recordingLog();
  let host: Host;
  let model: MockProviderServer;
  const request = async <T>(
    method: string,
    route: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: T }> => {
    const answer = await fetch(host.url + route, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  };
  const available = async (): Promise<Available["plugins"]> =>
    (await request<Available>("GET", "/debug/tools/available")).body.plugins;
  const faultOf = async (id: string): Promise<string> =>
    (await available()).find((plugin) => plugin.id === id)?.fault ?? "";
  const call = async (name: string, args: object) =>
    (
      await request<{ success: boolean; result: string; error_code?: string }>("POST", "/debug/mcp/execute", {
        tool: name,
        arguments: args,
      })
    ).body;
  const chat = async (more: object = {}) =>
    request<{ choices?: readonly { message: { content: string } }[]; error?: { code: string } }>(
      "POST",
      "/api/chat/completions",
      {
        model: "default",
        messages: [{ role: "user", content: "Hi" }],
        ...more,
      },
    );

  before(async function () {
    needsSandbox.call(this);
    const folder = temporaryFolder("pergola-broken-");
    const file = path.join(folder, "settings.json");
    const misfits = [
      entryOf(folder, misbehaving("tool-inside", "inside")),
      entryOf(folder, { ...misbehaving("tool-alone", "alone"), isolation: "process" }),
      entryOf(folder, { ...misbehaving("tool-apart", "apart"), isolation: "process" }),
      entryOf(folder, failingPolicy),
    ];
    const plugins = [
      ...officialPlugins(),
      ...broken.map((each) => entryOf(folder, each)),
      ...misfits,
      path.join(folder, "not-there"),
    ];
    model = await mockProviderServer(chatReply({ text: "Hello." }));
    const settings = {
      plugins,
      storage: { type: "memory" },
      default_model: "custom/test",
      "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
      "tools.timeout_seconds": 1,
    };
    writeFileSync(file, JSON.stringify(settings));
    const deadlines = { import: 3000, register: 300, collect: 300, start: 300, stop: 300 };
    host = await createHost({
      file,
      data: path.join(folder, "data"),
      environment: {},
      home: folder,
      cwd: folder,
      log,
      deadlines,
      unpinned: "all",
    });
    await host.listen({ port: 0 });
  });
  after(async () => {
    await (host as Host | undefined)?.stop();
    await (model as MockProviderServer | undefined)?.close();
  });

  for (const { id, said } of broken)
    it(`${id} is left out; /debug and the log say why`, async () => {
      const plugin = (await available()).find((each) => each.id === id);
      expect(plugin?.state).to.equal("left out");
      expect(plugin?.fault).to.include(said);
      const line = log.lines.find(({ level, fields }) => level === "error" && fields["plugin"] === id);
      expect(line?.message).to.include(said);
    });

  it("names a plugin that is not there", async () => {
    const lost = (await available()).find(({ fault }) => fault?.includes("there is no such plugin"));
    expect(lost?.id).to.match(/not-there$/);
  });

  it("the rest works: chats, tools and lists", async () => {
    expect((await chat()).body.choices).to.have.length(1);
    expect(await call("think", { thoughts: "x" })).to.include({ success: true });
    expect(await request("GET", "/api/models")).to.include({ status: 200 });
    expect((await available()).filter(({ state }) => state === "running").length).to.be.at.least(18);
  });

  describe("a hook that goes wrong while the host serves", () => {
    it("ends a run with an error when it throws in shapeChat; the next run works", async () => {
      expect((await chat({ temperature: 0.1 })).status).to.equal(500);
      expect(await faultOf("policy-failing")).to.include("policy-failing, shapeChat: no chat");
      expect((await chat()).status).to.equal(200);
      expect(
        log.lines.some(({ fields }) => String(fields["error"]).includes("policy-failing, shapeChat")),
      ).to.equal(true);
    });

    it("ends a run with an error when it hangs in shapeModelCall; the next run works", async () => {
      expect((await chat({ temperature: 0.2 })).status).to.equal(500);
      expect((await chat()).status).to.equal(200);
    });

    it("refuses a call when it throws in authorizeToolCall; other calls are made", async () => {
      expect(await call("file_operations.list_dir", { path: "odd" })).to.include({ success: false });
      expect(await call("file_operations.list_dir", { path: "." })).to.include({ success: true });
    });

    it("is only logged when it throws in a notice", async () => {
      expect(await call("think", { thoughts: "x" })).to.include({ success: true });
      expect(
        log.lines.some(({ message }) => message.includes("policy-failing, toolCallEnded: no notice")),
      ).to.equal(true);
    });
  });

  describe("a tool that goes wrong", () => {
    for (const name of ["inside", "alone"])
      it(`${name}: fails its call when it throws or hangs, and works again`, async () => {
        expect(await call(name, { operation: "go", how: "throw" })).to.include({
          success: false,
          error_code: "generic_error",
        });
        expect(await call(name, { operation: "go", how: "hang" })).to.include({
          success: false,
          error_code: "timeout",
        });
        expect(await call(name, { operation: "go" })).to.include({ success: true, result: "fine" });
        expect(log.lines.some(({ fields }) => String(fields["tool"]).startsWith(name))).to.equal(true);
      });

    it("in a process of its own: it may spin, exit, and throw where nobody catches; the host goes on", async () => {
      expect(await call("apart", { operation: "go", how: "spin" })).to.include({
        success: false,
        error_code: "timeout",
      });
      expect(await call("apart", { operation: "go", how: "exit" })).to.include({ success: false });
      await call("apart", { operation: "go", how: "late" });
      while (
        log.lines.filter(
          ({ fields, message }) =>
            fields["plugin"] === "tool-apart" && message.includes("ended while it worked"),
        ).length < 2
      )
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await call("apart", { operation: "go" })).to.include({ success: true, result: "fine" });
      expect((await chat()).status).to.equal(200);
    });
  });
});

describe("a part of the host that cannot be made", () => {
  const start = (part: string, instead: string): Promise<Host> => {
    const folder = temporaryFolder("pergola-part-");
    const file = path.join(folder, "settings.json");
    const plugins = [...officialPlugins([instead, "bundle-standard"]), entryOf(folder, brokenPart(part))];
    writeFileSync(
      file,
      JSON.stringify({ plugins, storage: { type: "memory" }, disabled: part === "memory" ? [] : [instead] }),
    );
    const data = path.join(folder, "data");
    return createHost({ file, data, environment: {}, log: recordingLog(), unpinned: "all" });
  };

  it("is left out when the host can do without it", async () => {
    const host = await start("memory", "service-memory");
    try {
      const found = host.services.system.plugins().find(({ id }) => id === "service-memory-broken");
      expect(found?.fault).to.include(brokenPart("memory").said);
      expect(host.services.memory).to.equal(undefined);
    } finally {
      await host.stop();
    }
  });

  it("ends the start with the plugin's name when nothing works without it", async () => {
    const fault = await start("approvals", "service-approvals").then(
      () => undefined,
      (error: Error) => error,
    );
    expect(fault?.message).to.equal(brokenPart("approvals").said);
  });
});
