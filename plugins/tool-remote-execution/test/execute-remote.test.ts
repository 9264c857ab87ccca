import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { bench, localHost, timeToDie, type Bench } from "./context.ts";
import { testHome, type Home } from "./home.ts";
import { noServer, openSshServer, type OpenSshServer } from "./open-ssh-server.ts";

interface Result {
  readonly host: string;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration: number;
  readonly outputFiles: readonly { readonly remote: string; readonly path: string; readonly size: number }[];
}

describe("execute_remote", function () {
  this.timeout(30_000);
  let [server, home, here] = [] as unknown as [OpenSshServer, Home, Bench];

  before(async function () {
    const missing = noServer();
    if (missing !== undefined) {
      console.log(`      skipped: ${missing}`);
      this.skip();
    }
    home = testHome();
    server = await openSshServer();
    home.put("known_hosts", server.knownLine);
    home.put("id_ed25519", server.userKey.secret);
  });
  beforeEach(() => {
    here = bench(server.port);
  });
  after(async () => {
    await server?.stop();
    home?.restore();
  });

  const run = (command: string, args: object = {}): Promise<Result> =>
    here.data("execute_remote", { command, ...args });

  /** Starts a command that notes its process id in a file, and gives the id. */
  async function started(command: string, args: object, changes: object = {}) {
    const file = path.join(temporaryFolder(), "pid");
    const failed = here.failure(
      "execute_remote",
      { command: `echo $$ >${file}.part; mv ${file}.part ${file}; ${command}`, ...args },
      changes,
    );
    while (!existsSync(file)) await Promise.race([pause(10), failed]);
    return { pid: Number(readFileSync(file, "utf8")), failed };
  }

  it("gives the outputs apart, the exit code and the time", async () => {
    const result = await run("echo out; echo err >&2; sleep 0.2; exit 3");
    expect(result).to.deep.include({
      host: localHost,
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
      outputFiles: [],
    });
    expect(result.duration).to.be.within(0.2, 8);
  });

  it("runs in /tmp, or in the folder that is named, however it is called", async () => {
    const folder = path.join(temporaryFolder(), 'it\'s $HOME; `x` "y" ~ *');
    mkdirSync(folder);
    expect((await run("pwd")).stdout).to.equal("/tmp\n");
    expect((await run("pwd", { working_dir: folder })).stdout).to.equal(`${folder}\n`);
    expect((await run('[ "$PWD" = "$HOME" ] && echo home', { working_dir: "~" })).stdout).to.equal("home\n");
  });

  it("takes any command as it is: quotes, several lines, comments, a leading minus, no input", async () => {
    expect((await run(`printf '%s|' 'a b' "c'd" e\\ f`)).stdout).to.equal("a b|c'd|e f|");
    expect((await run("cat <<'END'\nit's $HOME\nEND\necho two # end")).stdout).to.equal("it's $HOME\ntwo\n");
    expect((await run("-x")).exitCode).to.equal(127);
    expect(await run("cat")).to.include({ exitCode: 0, stdout: "" });
    expect((await run("echo 'unfinished")).exitCode).to.not.equal(0);
  });

  it("says which signal ended a command", async () => {
    const { data, message } = await here.run("execute_remote", { command: "kill -9 $$" });
    expect(data).to.include({ exitCode: null });
    expect(message).to.contain("SIGKILL");
  });

  it("does not wait for what a command left in the background", async () => {
    const { stdout, duration } = await run("sleep 30 & echo $!");
    process.kill(Number(stdout));
    expect(duration).to.be.below(5);
  });

  it("gives a command a private temporary folder, and removes it", async () => {
    const { stdout } = await run('ls -ld "$TMPDIR"; cd "$TMPDIR"; pwd; touch x');
    expect(stdout).to.match(/^drwx------/);
    expect(existsSync(stdout.trim().split("\n")[1] ?? "")).to.equal(false);
  });

  it("keeps that folder when told so, until cleanup_remote", async () => {
    const { data, message } = await here.run("execute_remote", { command: 'echo "$TMPDIR"', cleanup: false });
    const folder = (data as unknown as Result).stdout.trim();
    expect(message).to.contain(folder);
    expect(existsSync(folder)).to.equal(true);
    const { removed } = await here.data<{ readonly removed: readonly string[] }>("cleanup_remote", {
      install_dir: path.join(home.path, "no"),
    });
    expect(removed).to.include(folder);
    expect(existsSync(folder)).to.equal(false);
  });

  it("copies output files into the working directory", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "sub/deep"), { recursive: true });
    writeFileSync(path.join(folder, "sub/deep/c.txt"), "c");
    const { outputFiles } = await run('echo a >a.txt; echo b >"$TMPDIR/b.txt"', {
      working_dir: folder,
      output_files: ["a.txt", "$TMPDIR/b.txt", `${folder}/sub`],
    });
    expect(outputFiles.map((file) => [file.path, file.size])).to.deep.equal([
      ["a.txt", 2],
      ["b.txt", 2],
      ["sub/deep/c.txt", 1],
    ]);
    const textOf = (file: string): string =>
      readFileSync(path.join(here.context.workingDirectory, file), "utf8");
    expect(["a.txt", "b.txt", "sub/deep/c.txt"].map(textOf)).to.deep.equal(["a\n", "b\n", "c"]);
  });

  it("says which output files are missing and keeps the result", async () => {
    const { data, message } = await here.run("execute_remote", {
      command: "echo done",
      output_files: ["none.txt"],
    });
    expect(data).to.deep.include({ stdout: "done\n", outputFiles: [] });
    expect(message).to.match(/none\.txt was not copied: .*does not exist/);
  });

  it("refuses output files without a name of their own before anything runs", async () => {
    for (const output_files of [[".."], ["a/x", "b/x"], ["/"]]) {
      const error = await here.failure("execute_remote", { command: "true", output_files });
      expect(error.code, String(output_files)).to.equal("invalid_value");
    }
  });

  it("keeps the first MiB of endless output, and stops a command that floods", async () => {
    const result = await run("head -c 3000000 /dev/zero | tr '\\0' x");
    expect(result.stdout).to.have.length(1 << 20);
    const error = await here.failure("execute_remote", { command: "yes" });
    expect(error.message).to.contain("64 MiB");
  });

  it("T31: a time-out kills the command and its children within 2 s, and leaves no folder", async () => {
    const { pid, failed } = await started('echo "$TMPDIR" >&2; trap "" TERM; sleep 98 & sleep 99', {
      timeout: 1,
    });
    const error = await failed;
    expect(error.code).to.equal("timeout");
    expect(await timeToDie(pid)).to.be.below(2000);
    expect(existsSync(/\/tmp\/pergola-run-\w+/.exec(error.message)?.[0] ?? "/")).to.equal(false);
  });

  it("kills the whole group where the server takes no signals, as for a forced command", async () => {
    const forced = await openSshServer(['ForceCommand exec sh -c "$SSH_ORIGINAL_COMMAND"']);
    try {
      home.put("known_hosts", forced.knownLine + server.knownLine);
      home.put("id_ed25519", forced.userKey.secret);
      here = bench(forced.port);
      const child = path.join(temporaryFolder(), "child");
      const { pid, failed } = await started(`sh -c 'echo $$ >${child}; trap "" HUP TERM; sleep 97'; true`, {
        timeout: 1,
      });
      expect((await failed).code).to.equal("timeout");
      expect(await timeToDie(Number(readFileSync(child, "utf8")))).to.be.below(2000);
      expect(await timeToDie(pid)).to.be.below(2000);
    } finally {
      await forced.stop();
      home.put("id_ed25519", server.userKey.secret);
    }
  });

  it("a cancel kills the command within 2 s", async () => {
    const controller = new AbortController();
    const { pid, failed } = await started("sleep 96", {}, { signal: controller.signal });
    const begun = performance.now();
    controller.abort();
    expect((await failed).code).to.equal("cancelled");
    expect(await timeToDie(pid)).to.be.below(2000);
    expect(performance.now() - begun).to.be.below(2000);
  });

  it("says when the working folder is not there; the command does not run", async () => {
    const file = path.join(temporaryFolder(), "ran");
    const error = await here.failure("execute_remote", { command: `touch ${file}`, working_dir: "/no/such" });
    expect(error.code).to.equal("not_found");
    expect(existsSync(file)).to.equal(false);
  });

  it("A29: refuses values that begin with a minus", async () => {
    for (const args of [
      { host: "-oProxyCommand=x@h" },
      { host: "a@-h" },
      { working_dir: "-x" },
      { output_files: ["-x"] },
      { host: "-x" },
    ]) {
      const error = await here.failure("execute_remote", { command: "true", ...args });
      expect(error.code, JSON.stringify(args)).to.equal("invalid_value");
    }
  });

  it("shows the newest line of output while it works", async () => {
    await run("echo \u001b[31mred; sleep 1.3; echo done");
    expect(here.context.progressed.some((line) => /red/.test(line) && !line.includes("\u001b"))).to.equal(
      true,
    );
  });

  it("sends neither the service's environment nor unknown arguments", async () => {
    process.env["CANARY_SECRET"] = "sk-canary";
    const { stdout } = await run("env; tr '\\0' '\\n' </proc/$$/cmdline", {
      api_key: "sk-canary",
      model: "m",
    }).finally(() => {
      delete process.env["CANARY_SECRET"];
    });
    expect(stdout).to.contain("TMPDIR=/tmp/pergola-run-");
    expect(stdout).to.not.contain("sk-canary");
  });

  it("leaves no connection open", async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    await pause(400);
    const before = sockets();
    await run("true");
    await here.failure("execute_remote", { command: "true", working_dir: "/no/such" });
    await pause(400);
    expect(sockets()).to.equal(before);
  });
});
