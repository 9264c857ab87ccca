import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { bench } from "./context.ts";
import { faultServer, rawServer, trust, type Faults } from "./fault-server.ts";
import { makeKey, testHome, type Home } from "./home.ts";
import { freePort, needsKeys } from "./open-ssh-server.ts";

/** Ends a test's servers when it ends. */
const open: { readonly stop: () => Promise<void> }[] = [];

describe("remote_execution, when the other side fails", function () {
  this.timeout(30_000);
  let home: Home;
  before(needsKeys);
  beforeEach(() => {
    home = testHome();
  });
  afterEach(async () => {
    home.restore();
    for (const server of open.splice(0)) await server.stop();
  });

  async function misbehaving(faults: Faults) {
    const server = await faultServer(faults);
    open.push(server);
    trust(home, server);
    return server;
  }

  async function speaking(onSocket: Parameters<typeof rawServer>[0]) {
    const server = await rawServer(onSocket);
    open.push(server);
    home.put("id_ed25519", makeKey().secret);
    return server;
  }

  const failure = (port: number, args: object = {}, changes: object = {}) =>
    bench(port).failure("execute_remote", { command: "true", ...args }, changes);

  it("F14: a changed key is refused before any credential leaves, even where new hosts are accepted", async () => {
    const server = await misbehaving({});
    const known = `[127.0.0.1]:${server.port} ${makeKey().open}\n`;
    home.put("known_hosts", known);
    for (const accept of [false, true]) {
      const error = await bench(server.port, {
        preferences: { "tools.remote.accept_new_hosts": accept },
      }).failure("execute_remote", {
        command: "true",
      });
      expect(error.code).to.equal("permission_denied");
      expect(error.message).to.contain("another key");
    }
    expect(server.attempts()).to.equal(0);
    expect(home.knownHosts()).to.equal(known);
  });

  for (const [marker, word] of [
    ["@revoked", "revoked"],
    ["@cert-authority", "certificate"],
  ] as const)
    it(`F14: a key marked ${marker} is refused before any credential leaves, even where new hosts are accepted`, async () => {
      const server = await misbehaving({});
      home.put("known_hosts", `${marker} * ${server.hostKey.open}\n`);
      const error = await bench(server.port, {
        preferences: { "tools.remote.accept_new_hosts": true },
      }).failure("execute_remote", {
        command: "true",
      });
      expect(error.code).to.equal("permission_denied");
      expect(error.message).to.contain(word);
      expect(server.attempts()).to.equal(0);
    });

  it("an unknown key is refused before any credential leaves", async () => {
    const server = await misbehaving({});
    home.put("known_hosts", "");
    expect((await failure(server.port)).code).to.equal("permission_denied");
    expect(server.attempts()).to.equal(0);
  });

  it("does not go on when known_hosts cannot be read", async () => {
    const server = await misbehaving({});
    rmSync(home.put("known_hosts", ""));
    mkdirSync(path.join(home.path, ".ssh/known_hosts"));
    const error = await bench(server.port, {
      preferences: { "tools.remote.accept_new_hosts": true },
    }).failure("execute_remote", {
      command: "true",
    });
    expect(error.message).to.contain("known_hosts");
    expect(server.attempts()).to.equal(0);
  });

  it("F14: nobody listens", async () => {
    const port = await freePort();
    home.put("id_ed25519", makeKey().secret);
    const error = await failure(port);
    expect(error.code).to.equal("network_error");
    expect(error.message).to.contain(String(port));
  });

  it("F14: the name is not known", async () => {
    home.put("id_ed25519", makeKey().secret);
    expect((await failure(22, { host: "u@no-such-host.invalid" })).code).to.equal("network_error");
  });

  it("F14: a black hole can be cancelled at once", async () => {
    const server = await speaking(() => undefined);
    const controller = new AbortController();
    const failed = failure(server.port, {}, { signal: controller.signal });
    await pause(200);
    const begun = performance.now();
    controller.abort();
    expect((await failed).code).to.equal("cancelled");
    expect(performance.now() - begun).to.be.below(500);
  });

  it("F14: a black hole ends in a time-out", async function () {
    const server = await speaking(() => undefined);
    expect((await failure(server.port)).code).to.equal("timeout");
  });

  for (const [title, greeting] of [
    ["a web server", "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"],
    ["a flood of banner lines", "x".repeat(500).concat("\r\n").repeat(5000)],
    ["a banner without end", "y".repeat(5_000_000)],
    ["garbage after the version", `SSH-2.0-x\r\n${"\u0001".repeat(5000)}`],
  ] as const)
    it(`F14: ${title} is a failure of the network`, async () => {
      const server = await speaking((socket) => {
        socket.end(greeting);
      });
      expect((await failure(server.port)).code).to.equal("network_error");
    });

  it("F14: the connection drops during the login", async () => {
    const server = await misbehaving({ onLogin: (_accept, _reject, connection) => connection.end() });
    expect((await failure(server.port)).code).to.equal("network_error");
  });

  it("F14: the login hangs, and can be cancelled", async () => {
    const server = await misbehaving({ onLogin: () => undefined });
    const controller = new AbortController();
    const failed = failure(server.port, {}, { signal: controller.signal });
    while (server.attempts() === 0) await pause(10);
    controller.abort();
    expect((await failed).code).to.equal("cancelled");
  });

  it("F14: it hangs after the login, and can be cancelled within 2 s", async () => {
    const server = await misbehaving({ deaf: true });
    const controller = new AbortController();
    const failed = failure(server.port, {}, { signal: controller.signal });
    while (server.commands.length === 0) await pause(10);
    const begun = performance.now();
    controller.abort();
    expect((await failed).code).to.equal("cancelled");
    expect(performance.now() - begun).to.be.below(2000);
  });

  it("F14: a drop in the middle of a command leaves the outcome unknown, with what was heard", async () => {
    const server = await misbehaving({
      onCommand: (channel, connection) => {
        channel.write("half done\n");
        setTimeout(() => connection.end(), 100);
      },
    });
    const error = await failure(server.port);
    expect(error.code).to.equal("outcome_unknown");
    expect(error.message).to.contain("half done");
  });

  it("waits for output that comes after the exit code, but not for a channel that stays open", async () => {
    const server = await misbehaving({
      onCommand: (channel) => {
        channel.exit(5);
        for (const step of [1, 2, 3, 4]) setTimeout(() => channel.write(`${step}`), step * 400);
      },
    });
    const { data } = await bench(server.port).run("execute_remote", { command: "true" });
    expect(data).to.include({ exitCode: 5, stdout: "1234" });
  });

  it("F14: a channel that closes without a status leaves the outcome unknown", async () => {
    const server = await misbehaving({ onCommand: (channel) => channel.close() });
    expect((await failure(server.port)).code).to.equal("outcome_unknown");
  });

  it("F14: endless output is cut off, and takes no memory", async () => {
    const server = await misbehaving({
      onCommand: (channel) => {
        const piece = Buffer.alloc(1 << 16, "z");
        const pour = (): void => {
          while (!channel.destroyed && channel.write(piece));
          if (!channel.destroyed) channel.once("drain", pour);
        };
        pour();
      },
    });
    const error = await failure(server.port);
    expect(error.code).to.equal("generic_error");
    expect(error.message).to.contain("64 MiB");
    expect(error.message.length).to.be.below(5000);
  });

  it("F14: a command that never ends on a server that kills nothing ends in a time-out all the same", async () => {
    const server = await misbehaving({});
    const begun = performance.now();
    const error = await failure(server.port, { timeout: 1 });
    expect(error.code).to.equal("timeout");
    expect(performance.now() - begun).to.be.below(4000);
  });

  it("keeps secrets off the command line", async () => {
    const server = await misbehaving({
      onCommand: (channel) => {
        channel.exit(0);
        channel.end();
      },
    });
    await bench(server.port).run("execute_remote", {
      command: "true",
      api_key: "sk-canary",
      api_provider: "canary",
      model: "canary",
    });
    expect(server.commands.join("\n")).to.not.contain("canary");
  });
});
