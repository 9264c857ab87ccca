import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { reading, scene, trap, useAll, vectors } from "../../plugins/tool-version-control/test/attacks.ts";
import { git, needsGit, repository, shared } from "../../plugins/tool-version-control/test/bench.ts";
import { needsSandbox } from "./support/program-stage.ts";

const keeping = `const fs = require("fs"), [, log] = process.argv;
require("net").createServer((socket) => {
  fs.appendFileSync(log, "\\nCONNECTION\\n");
  socket.on("data", (piece) => fs.appendFileSync(log, piece)).on("error", () => undefined);
  setTimeout(() => socket.destroy(), 300);
}).listen(0, "127.0.0.2", function () { console.log(this.address().port); });`;

/** A server in a process of its own that keeps what it is sent, and answers nothing. */
async function openCanary() {
  const log = path.join(temporaryFolder(), "log");
  writeFileSync(log, "");
  const server = spawn(process.execPath, ["-e", keeping, log], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const text = (): string => readFileSync(log, "latin1");
  const connections = (): number => text().split("CONNECTION").length - 1;
  return { port: Number(line), text, connections, close: () => server.kill("SIGKILL") };
}

const preferences = {
  "sandbox.programs": "required",
  "tools.git.user_name": "Bea",
  "tools.git.user_email": "bea@example.org",
};

describe("repositories from strangers", function () {
  this.timeout(900_000);
  before(needsSandbox);
  before(needsGit);

  it("X53: their configuration decides neither with whom git speaks nor what it shows of the person", async () => {
    const [remote, other] = await Promise.all([openCanary(), openCanary()]);
    const helper = temporaryFolder();
    const program = path.join(helper, "helper");
    writeFileSync(program, `#!/bin/sh\ntouch ${helper}/asked\necho username=ada\necho password=hunter2\n`);
    chmodSync(program, 0o755);
    const attacks: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
      nothing: [],
      proxy: [["http.proxy", `http://127.0.0.2:${other.port}`]],
      "proxy of a remote": [["remote.origin.proxy", `http://127.0.0.2:${other.port}`]],
      certificates: [["http.sslVerify", "false"]],
      "certificate file": [["http.sslCAInfo", "/etc/hostname"]],
      resolve: [["http.curloptResolve", `127.0.0.2:${remote.port}:127.0.0.3`]],
      headers: [["http.extraHeader", "Authorization: Bearer hunter2"]],
      "another address": [
        [`url.https://127.0.0.2:${other.port}/.insteadOf`, `https://127.0.0.2:${remote.port}/`],
      ],
      "credential helper": [
        ["credential.helper", program],
        [`credential.https://127.0.0.2:${remote.port}.helper`, `!${program}`],
      ],
    };
    try {
      for (const [name, keys] of Object.entries(attacks)) {
        const made = repository({
          preferences: { ...preferences, "tools.web.allowed_private_hosts": ["127.0.0.2"] },
        });
        made.git("remote", "add", "origin", `https://127.0.0.2:${remote.port}/x.git`);
        for (const [key, value] of keys) made.git("config", "--add", key, value);
        const before = remote.connections();
        const { code, message } = await made.failure("push", { branch: "main" });
        const isRefused = code === "permission_denied";
        expect(isRefused || remote.connections() > before, `${name} was tried: ${code} ${message}`).to.equal(
          true,
        );
        expect(other.connections(), name).to.equal(0);
      }
      expect(remote.connections()).to.be.greaterThan(0);
      expect(remote.text()).not.to.include("hunter2");
      expect(existsSync(path.join(helper, "asked"))).to.equal(false);
    } finally {
      remote.close();
      other.close();
    }
  });

  it("X54: nothing of theirs runs, by none of the ways that git has", async () => {
    expect(Object.keys(vectors).length).to.be.at.least(35);
    const some = [
      ...reading.slice(0, 3),
      ["git_commit", { message: "m", files: ["a.txt", "b.txt"] }],
      ["branch", { action: "create", name: "other" }],
      ["branch", { action: "switch", name: "other" }],
      ["push", { branch: "other" }],
      ["pull", { branch: "main", mode: "merge" }],
    ] as const;
    const ran: string[] = [];
    for (const [vector, plant] of Object.entries(vectors)) {
      const made = scene({ preferences });
      mkdirSync(made.at("traps"));
      const { program, mark } = trap(made.at("traps"));
      plant(made, program);
      await useAll(made, some);
      if (existsSync(mark)) ran.push(vector);
    }
    expect(ran).to.deep.equal([]);
  });

  it("X55: they lead to no other repository", async () => {
    const other = repository();
    other.put("secret.txt", "canary");
    other.git("add", "-A");
    other.git("commit", "-qm", "secret");
    const secret = other.git("rev-parse", "HEAD").trim();
    const gitdir = repository({ preferences });
    const [inside, away] = [path.join(gitdir.root, "sub"), path.join(other.root, ".git")];
    mkdirSync(inside);
    writeFileSync(path.join(inside, ".git"), `gitdir: ${away}\n`);
    const refused = ["permission_denied", "not_found"];
    expect((await gitdir.failure("log", { repository_path: "sub" })).code).to.be.oneOf(refused);
    const common = repository({ preferences });
    common.put(".git/commondir", `${away}\n`);
    expect((await common.failure("log")).code).to.be.oneOf(refused);
    const worktree = repository({ preferences });
    worktree.git("config", "extensions.worktreeConfig", "true");
    worktree.put(".git/config.worktree", `[core]\n\tworktree = ${other.root}\n`);
    expect((await worktree.failure("status")).code).to.be.oneOf(refused);
    const alternates = repository({ preferences });
    alternates.put(".git/objects/info/alternates", `${away}/objects\n`);
    expect(git(alternates.root, "cat-file", "-t", secret).trim()).to.equal("commit");
    const { message } = await alternates.failure("diff", { ref1: secret, ref2: "HEAD" });
    expect(message).not.to.include("canary");
    const lent = shared({ preferences });
    lent.put(".git/objects/info/alternates", `${away}/objects\n`);
    lent.put(".git/refs/heads/lent", `${secret}\n`);
    await lent.run("push", { branch: "lent" }).catch(() => undefined);
    expect(() => git(lent.bare, "cat-file", "-t", secret)).to.throw();
  });
});
