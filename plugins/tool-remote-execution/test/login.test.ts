import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { bench, type Bench } from "./context.ts";
import { makeKey, testHome, type Home } from "./home.ts";
import { noServer, openSshServer, type OpenSshServer } from "./open-ssh-server.ts";

describe("logging in", function () {
  this.timeout(30_000);
  let [server, home, here] = [] as unknown as [OpenSshServer, Home, Bench];

  before(async function () {
    const missing = noServer();
    if (missing !== undefined) {
      console.log(`      skipped: ${missing}`);
      this.skip();
    }
    server = await openSshServer();
  });
  beforeEach(() => {
    home = testHome();
    home.put("known_hosts", server.knownLine);
    here = bench(server.port);
  });
  afterEach(() => home.restore());
  after(() => server?.stop());

  const works = async (args: object = {}): Promise<void> => {
    expect((await here.run("execute_remote", { command: "echo in", ...args })).data).to.include({
      stdout: "in\n",
    });
  };

  for (const name of ["id_ed25519", "id_ecdsa", "id_rsa"])
    it(`finds ~/.ssh/${name}`, async () => {
      home.put(name, server.userKey.secret);
      await works();
    });

  it("takes a key by its path, in the working directory or where the call may go", async () => {
    writeFileSync(path.join(here.context.workingDirectory, "key"), server.userKey.secret);
    await works({ ssh_key: "key" });
    here = bench(server.port, { allowed: [server.userKey.file] });
    await works({ ssh_key: server.userKey.file });
  });

  it("reads no key where the call may not go", async () => {
    const error = await here.failure("execute_remote", { command: "true", ssh_key: server.userKey.file });
    expect(error.code).to.equal("permission_denied");
  });

  it("asks the SSH agent", async () => {
    const socket = path.join(temporaryFolder(), "agent");
    const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
    try {
      while (!existsSync(socket)) await pause(20);
      execFileSync("ssh-add", ["-q", server.userKey.file], {
        env: { ...process.env, SSH_AUTH_SOCK: socket },
        stdio: "ignore",
      });
      process.env["SSH_AUTH_SOCK"] = socket;
      await works();
    } finally {
      agent.kill();
    }
  });

  it("goes on with the default keys when the agent does not answer", async () => {
    process.env["SSH_AUTH_SOCK"] = path.join(temporaryFolder(), "nobody");
    home.put("id_ed25519", server.userKey.secret);
    await works();
  });

  it("says that a key has a passphrase", async () => {
    const locked = makeKey("ed25519", "secret words");
    home.put("id_ed25519", locked.secret);
    const named = await bench(server.port, { allowed: [locked.file] }).failure("execute_remote", {
      command: "true",
      ssh_key: locked.file,
    });
    expect(named).to.include({ code: "invalid_value" });
    expect(named.message).to.contain("passphrase");
    expect(named.hint).to.contain("ssh-add");
    const found = await here.failure("execute_remote", { command: "true" });
    expect(found.code).to.equal("unavailable");
    expect(found.hint).to.contain("~/.ssh/id_ed25519 is locked");
  });

  it("says that a file is no private key, and shows nothing of it", async () => {
    writeFileSync(path.join(here.context.workingDirectory, "key.pub"), server.userKey.open);
    writeFileSync(path.join(here.context.workingDirectory, "text"), "canary");
    for (const ssh_key of ["key.pub", "text"]) {
      const error = await here.failure("execute_remote", { command: "true", ssh_key });
      expect(error.code, ssh_key).to.equal("invalid_value");
      expect(error.message + error.hint).to.not.contain("canary");
    }
  });

  it("says that no key was accepted", async () => {
    home.put("id_ed25519", makeKey().secret);
    const error = await here.failure("execute_remote", { command: "true" });
    expect(error.code).to.equal("system_permission_denied");
    expect(error.hint).to.contain("ssh_key");
  });

  it("refuses an unknown host with its fingerprint, and remembers it only when told to", async () => {
    home.put("id_ed25519", server.userKey.secret);
    home.put("known_hosts", "");
    const error = await here.failure("execute_remote", { command: "true" });
    const print =
      execFileSync("ssh-keygen", ["-l", "-f", server.hostKey.file]).toString().split(" ")[1] ?? "";
    expect(error.code).to.equal("permission_denied");
    expect(error.message).to.contain(print);
    expect(error.hint).to.contain("tools.remote.accept_new_hosts");
    expect(home.knownHosts()).to.equal("");
    here = bench(server.port, { preferences: { "tools.remote.accept_new_hosts": true } });
    await works();
    expect(home.knownHosts()).to.equal(server.knownLine);
    here = bench(server.port);
    await works();
  });

  it("asks a host for a key of the kind it is known by", async () => {
    const [rsa, ed] = [makeKey("rsa"), makeKey()];
    const both = await openSshServer([`HostKey ${rsa.file}`, `HostKey ${ed.file}`]);
    try {
      home.put("id_ed25519", both.userKey.secret);
      home.put("known_hosts", `[127.0.0.1]:${both.port} ${rsa.open}\n`);
      here = bench(both.port);
      await works();
    } finally {
      await both.stop();
    }
  });
});
