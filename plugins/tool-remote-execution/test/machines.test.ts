import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { bench, localHost, type Bench } from "./context.ts";
import { makeKey, testHome, type Home } from "./home.ts";
import { freePort, noServer, openSshServer, type OpenSshServer } from "./open-ssh-server.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

describe("remote machines", function () {
  this.timeout(30_000);
  let [server, other, home, here] = [] as unknown as [OpenSshServer, OpenSshServer, Home, Bench];

  before(async function () {
    const missing = noServer();
    if (missing !== undefined) {
      console.log(`      skipped: ${missing}`);
      this.skip();
    }
    home = testHome();
    [server, other] = await Promise.all([openSshServer(), openSshServer()]);
    home.put("id_ed25519", server.userKey.secret);
    home.put("id_ecdsa", other.userKey.secret);
  });
  beforeEach(() => {
    home.put("known_hosts", server.knownLine + other.knownLine);
    here = bench(server.port, { preferences: { "tools.remote.targets": groups() } });
  });
  after(async () => {
    await Promise.all([server?.stop(), other?.stop()]);
    home?.restore();
  });

  const groups = () => ({
    web: [localHost, `${localHost}:${other.port}`],
    one: [`${localHost}:${other.port}`],
  });

  describe("execute_parallel", () => {
    interface Outcomes {
      readonly results: readonly {
        readonly host: string;
        readonly exitCode?: number;
        readonly stdout?: string;
        readonly error_code?: string;
      }[];
      readonly succeeded: number;
      readonly failed: number;
    }
    const run = (targets: unknown, command: string, args: object = {}): Promise<Outcomes> =>
      here.data("execute_parallel", { targets, command, ...args });

    for (const [title, targets, count] of [
      ["a group", () => ["web"], 2],
      ["all, and no machine twice", () => ["all", "one", "web"], 2],
      ["another group", () => ["one"], 1],
      ["a listed host by its name", () => ["127.0.0.1"], 2],
      ["a listed host as it is listed", () => [`${localHost}:${other.port}`], 1],
      ["any user@host", () => [localHost], 1],
    ] as const)
      it(`runs on ${title}`, async () => {
        const { results, succeeded, failed } = await run(targets(), "echo hi");
        expect([results.length, succeeded, failed]).to.deep.equal([count, count, 0]);
        expect(results.every(({ stdout }) => stdout === "hi\n")).to.equal(true);
      });

    it("works on the machines at the same time", async () => {
      const folder = temporaryFolder();
      const meet = `touch ${folder}/$$; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do [ $(ls ${folder} | wc -l) = 2 ] && exit 0; sleep 0.2; done; exit 1`;
      expect(await run(["web"], meet)).to.include({ succeeded: 2 });
    });

    it("keeps the failures of single machines apart, in the order of the targets", async () => {
      home.put("known_hosts", server.knownLine);
      const { results, succeeded, failed } = await run(["web"], "exit 0");
      expect([succeeded, failed]).to.deep.equal([1, 1]);
      expect(results.map((result) => result.exitCode ?? result.error_code)).to.deep.equal([
        0,
        "permission_denied",
      ]);
      expect(await run([localHost], "exit 4")).to.include({ succeeded: 0, failed: 1 });
    });

    it("puts each machine's output files into a folder of its own, and tells how far it is", async () => {
      await run(["web"], 'echo "$SSH_CONNECTION" >"$TMPDIR/who.txt"', { output_files: ["$TMPDIR/who.txt"] });
      const port = (folder: string): string =>
        readFileSync(path.join(here.context.workingDirectory, folder, "who.txt"), "utf8")
          .trim()
          .split(" ")
          .at(-1) ?? "";
      expect(port(`${localHost}_${server.port}`)).to.equal(String(server.port));
      expect(port(`${localHost}_${other.port}`)).to.equal(String(other.port));
      expect(here.context.progressed.join()).to.match(/1 of 2 .*2 of 2/);
    });

    it("bounds the outputs of all machines together", async () => {
      const { results } = await run(["web"], "head -c 2000000 /dev/zero | tr '\\0' x");
      expect(results.map(({ stdout = "" }) => stdout.length)).to.deep.equal([1 << 19, 1 << 19]);
    });

    it("stops on a cancel", async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 1000);
      const begun = performance.now();
      const error = await here.failure(
        "execute_parallel",
        { targets: ["all"], command: "sleep 95" },
        { signal: controller.signal },
      );
      expect(error.code).to.equal("cancelled");
      expect(performance.now() - begun).to.be.below(3000);
    });

    it("refuses names that mean nothing, too many machines and options", async () => {
      for (const [targets, code] of [
        [["wbe"], "not_found"],
        [["constructor"], "not_found"],
        [["-x"], "invalid_value"],
        [["u@-x"], "invalid_value"],
        [Array.from({ length: 65 }, (_, index) => `u@h${index}`), "invalid_value"],
      ] as const)
        expect(
          (await here.failure("execute_parallel", { targets, command: "true" })).code,
          String(targets),
        ).to.equal(code);
      const empty = await bench(server.port).failure("execute_parallel", {
        targets: ["all"],
        command: "true",
      });
      expect(empty.code).to.equal("invalid_value");
    });
  });

  describe("check_remote", () => {
    const checkOf = (checks: readonly Check[], name: string): Check | undefined =>
      checks.find((one) => one.name === name);

    it("tells of the system and what can be done", async () => {
      const data = await here.data<{ readonly system: string; readonly checks: readonly Check[] }>(
        "check_remote",
        {},
      );
      expect(data).to.include({ host: localHost, reachable: true });
      expect(data.system).to.match(/^(Linux|Darwin) /);
      expect(data.checks.map(({ name, ok }) => `${name} ${ok}`)).to.include.members([
        "login true",
        "shell true",
        "files true",
      ]);
    });

    it("tells apart a machine that does not answer and one that is not trusted", async () => {
      const away = await here.data<{ readonly checks: readonly Check[] }>("check_remote", {
        ssh_port: await freePort(),
      });
      expect(away).to.include({ reachable: false });
      home.put("known_hosts", "");
      const strange = await here.data<{ readonly checks: readonly Check[] }>("check_remote", {});
      expect(strange).to.include({ reachable: true });
      expect(checkOf(strange.checks, "login")?.detail).to.contain("SHA256:");
      home.put("known_hosts", `[127.0.0.1]:${server.port} ${makeKey().open}\n`);
      expect(
        (await here.data<{ readonly checks: readonly Check[] }>("check_remote", {})).checks[0]?.ok,
      ).to.equal(false);
    });
  });

  describe("prepare_remote and cleanup_remote", () => {
    const prepare = (install_dir: string) =>
      here.data<{ readonly ready: boolean; readonly checks: readonly Check[] }>("prepare_remote", {
        install_dir,
      });

    it("make a folder, again if need be, and remove it with all that is in it", async () => {
      const folder = path.join(temporaryFolder(), "it's new/$(touch x)");
      expect((await prepare(folder)).ready).to.equal(true);
      writeFileSync(path.join(folder, "tool"), "x");
      expect((await prepare(folder)).ready).to.equal(true);
      const { removed } = await here.data<{ readonly removed: readonly string[] }>("cleanup_remote", {
        install_dir: folder,
      });
      expect(removed).to.include(folder);
      expect(existsSync(folder)).to.equal(false);
      expect((await here.run("cleanup_remote", { install_dir: folder })).data).to.not.deep.include({
        removed: [folder],
      });
    });

    it("touch no folder that holds other things", async () => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, "precious"), "x");
      expect((await prepare(folder)).ready).to.equal(false);
      expect((await here.failure("cleanup_remote", { install_dir: folder })).code).to.equal("conflict");
      const link = path.join(temporaryFolder(), "link");
      const marked = path.join(temporaryFolder(), "marked");
      await prepare(marked);
      symlinkSync(marked, link);
      expect((await here.failure("cleanup_remote", { install_dir: link })).code).to.equal("conflict");
      expect([existsSync(path.join(folder, "precious")), existsSync(marked)]).to.deep.equal([true, true]);
    });

    it("remove what calls left behind that were cut off, but nothing of a call that may still run", async () => {
      const [old, fresh] = ["/tmp/pergola-run-test-old", "/tmp/pergola-run-test-fresh"];
      for (const folder of [old, fresh]) mkdirSync(folder, { recursive: true });
      const longAgo = Date.now() / 1000 - 3 * 86_400;
      utimesSync(old, longAgo, longAgo);
      await here.run("cleanup_remote", { install_dir: path.join(home.path, "none") });
      expect([existsSync(old), existsSync(fresh)]).to.deep.equal([false, true]);
      utimesSync(fresh, longAgo, longAgo);
      await here.run("cleanup_remote", { install_dir: path.join(home.path, "none") });
      expect(existsSync(fresh)).to.equal(false);
    });

    it("A29: refuse a folder that begins with a minus", async () => {
      for (const name of ["prepare_remote", "cleanup_remote"])
        expect((await here.failure(name, { install_dir: "-rf" })).code, name).to.equal("invalid_value");
    });
  });
});
