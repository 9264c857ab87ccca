import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { eventually } from "../support/lab-stage.ts";
import {
  needsSandbox,
  openPrograms,
  runningWith,
  until,
  type ProgramStage,
} from "./support/program-stage.ts";

const trusted = [".git/hooks", ".git/config", ".envrc", ".mcp.json", "AGENTS.md"];

let lastMark = 440_000;
/** A number of seconds for `sleep` that no other process uses. */
const newMark = (): string => String((lastMark += 1) + process.pid / 1e7);

describe("commands of a model", function () {
  this.timeout(120_000);
  let stage: ProgramStage;
  let canary: Server;
  let met = 0;
  before(needsSandbox);
  before(async () => {
    stage = await openPrograms({ settings: { "authorization.protected_names": trusted } });
    canary = createServer((_asked, answer) => answer.end("canary")).listen(0, "127.0.0.1");
    canary.on("connection", () => (met += 1));
    await once(canary, "listening");
  });
  after(async () => {
    canary?.close();
    await stage?.end();
  });

  const at = (file: string): string => path.join(stage.folder, file);
  const put = (file: string, content = "before"): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), content);
  };

  it("X56: do not change what other programs trust, nor move it away", async () => {
    for (const file of [".git/config", ".git/hooks/pre-commit", ".git/HEAD", "sub/.envrc", "AGENTS.md"])
      put(file);
    const harms = [
      "echo evil > .git/config",
      "echo evil >> sub/.envrc",
      "rm -f AGENTS.md && ls AGENTS.md && false",
      "mv AGENTS.md x",
      "mv x AGENTS.md || mv .git/HEAD AGENTS.md",
      "ln -f .git/HEAD AGENTS.md",
      "ln AGENTS.md y && echo evil > y",
      "echo evil > .git/hooks/pre-commit",
      "echo evil > .git/hooks/post-checkout",
      "mv .git other && mkdir .git && echo evil > .git/config",
      "mv sub other && mkdir sub && echo evil > sub/.envrc",
      "mount -o remount,rw .git/config && echo evil > .git/config",
      "umount .git/config && echo evil > .git/config",
      "unshare -Um sh -c 'umount .git/config; echo evil > .git/config'",
    ];
    for (const harm of harms)
      expect(await stage.shell(`(${harm}) 2>/dev/null && echo done || echo refused`), harm).to.equal(
        "refused\n",
      );
    for (const file of [".git/config", ".git/hooks/pre-commit", "sub/.envrc", "AGENTS.md"])
      expect(readFileSync(at(file), "utf8"), file).to.equal("before");
    expect(readdirSync(at(".git/hooks"))).to.deep.equal(["pre-commit"]);
    expect(await stage.shell("echo ok > plain && echo ok > .git/index && cat plain .git/index")).to.equal(
      "ok\nok\n",
    );
  });

  it("X57: what they make under such a name is moved away, and the person decides", async () => {
    const makes =
      "echo evil > new.txt; mkdir deep; echo evil > deep/.envrc; echo {} > .mcp.json; mkdir -p nested/.git/hooks; echo evil > nested/.git/hooks/pre-commit";
    for (const approved of [false, true]) {
      await stage.call("terminal_operations.run_command", { command: makes, explanation: "A test" });
      const [question] = await pending();
      expect(question?.paths).to.have.members([at("deep/.envrc"), at(".mcp.json"), at("nested/.git")]);
      for (const file of ["deep/.envrc", ".mcp.json", "nested/.git"])
        expect(existsSync(at(file)), file).to.equal(false);
      await stage.host.services.approvals.answer(question?.id ?? "", { approved });
      const result = await resultOf(question?.id ?? "");
      expect(result).to.include({ success: true });
      for (const file of ["deep/.envrc", ".mcp.json", "nested/.git/hooks/pre-commit"])
        expect(existsSync(at(file)), file).to.equal(approved);
      expect(readFileSync(at("new.txt"), "utf8")).to.equal("evil\n");
      await stage.shell("rm -rf deep new.txt nested").catch(() => undefined);
    }
    const held = path.join(stage.host.dataDirectory, "changes/held");
    expect(readdirSync(held, { recursive: true }).join("\n")).to.include("pre-commit");
  });

  const pending = () =>
    eventually(async () => {
      const { items } = await stage.host.services.approvals.list({ status: "pending" });
      return items.length > 0 ? items : undefined;
    });
  const resultOf = (id: string) =>
    eventually(async () => (await stage.host.services.approvals.get(id)).result ?? undefined);

  it("S12, X58: reach neither this service nor this computer, however they ask", async () => {
    const service = new URL(stage.host.url).port;
    const { port } = canary.address() as AddressInfo;
    const hosts = [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f000001",
      "[::ffff:127.0.0.1]",
      "[::1]",
      "0.0.0.0",
      "127.1",
    ];
    const script = `const http = require("http"), net = require("net");
      const say = (what) => (answer) => { console.log(what, answer.statusCode ?? answer.code ?? answer); answer.resume?.(); };
      for (const [host, port] of TARGETS) {
        http.get({ host: "127.0.0.1", port: 3128, path: "http://" + host + ":" + port + "/api/models" }, say("proxied")).on("error", say("proxied"));
        http.request({ host: "127.0.0.1", port: 3128, method: "CONNECT", path: host + ":" + port }).on("connect", (answer, socket) => { say("tunnel")(answer); socket.destroy(); }).on("error", say("tunnel")).end();
        http.get({ host: host.replace(/[\\[\\]]/g, ""), port, path: "/api/models" }, say("direct")).on("error", say("direct"));
      }`;
    const targets = hosts.flatMap((host) => [service, port].map((one) => [host, Number(one)]));
    put("ask.cjs", script.replace("TARGETS", JSON.stringify(targets)));
    const lines = (await stage.shell("node ask.cjs")).trim().split("\n");
    const answers = (what: string) =>
      lines.filter((line) => line.startsWith(what)).map((line) => line.split(" ")[1]);
    expect(answers("proxied"), lines.join("\n")).to.deep.equal(targets.map(() => "403"));
    expect(answers("tunnel")).to.deep.equal(targets.map(() => "403"));
    expect(answers("direct")).to.have.length(targets.length);
    expect(answers("direct").filter((one) => /^\d/.test(one ?? ""))).to.deep.equal([]);
    expect(met).to.equal(0);
  });

  it("X59: leave nobody behind after a time-out, a closed session and a cancel", async () => {
    const mark = newMark();
    const escape =
      `(setsid sleep ${mark} &) ; nohup sleep ${mark} >/dev/null 2>&1 & ` +
      `env -i setsid sh -c "trap '' TERM HUP; (sleep ${mark} &) ; sleep ${mark}" & sleep ${mark} & `;
    expect(await stage.shell(`${escape} sleep ${mark}`, { timeout: 1.5 })).to.match(/^timeout/);
    await until("they are gone", () => runningWith(mark).length === 0);
    await stage.shell(`${escape} true`);
    await until("they are gone after the end, too", () => runningWith(mark).length === 0);
    const background = await stage.call("terminal_operations.run_command", {
      command: `${escape} sleep ${mark}`,
      explanation: "A test",
      isBackground: true,
    });
    await until("they run", () => runningWith(mark).length >= 4);
    const [, id] = /session_id (term_\w+)/.exec(JSON.stringify(background)) ?? [];
    await stage.call("terminal_operations.close_session", { session_id: id });
    await until("they are gone with their session", () => runningWith(mark).length === 0);
  });

  it("X59: leave nobody behind when the service is killed", async () => {
    const mark = newMark();
    const program = path.join(import.meta.dirname, "support/service-to-kill.ts");
    const command = `(setsid sleep ${mark} &); nohup sleep ${mark} & sleep ${mark}`;
    const service = spawn(process.execPath, ["--import=tsx", "--conditions=source", program, command], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    try {
      await until(
        "they run",
        () => runningWith(mark).filter((pid) => pid !== String(service.pid)).length >= 3,
        60_000,
      );
    } finally {
      service.kill("SIGKILL");
    }
    await until("they are gone", () => runningWith(mark).length === 0);
  });

  it("X60: exhaust nothing and see nobody", async () => {
    expect(
      await stage.shell("head -c 3G /dev/zero > /tmp/x 2>/dev/null || echo full; rm -f /tmp/x"),
    ).to.equal("full\n");
    expect(
      await stage.shell("head -c 3G /dev/zero > /dev/shm/x 2>/dev/null || echo full; rm -f /dev/shm/x"),
    ).to.equal("full\n");
    const type = `/usr/bin/python3 -c 'import fcntl,os
try: fcntl.ioctl(os.open("/dev/tty" if os.path.exists("/dev/tty") else "/dev/null", os.O_RDWR), 0x5412, b"x")
except OSError as e: print(e.errno)'`;
    expect(await stage.shell(type)).to.match(/^(1|6|25)\n$/);
    const { session_id: session } = JSON.parse(
      (await stage.call("terminal_operations.create_session", {})).result,
    ) as { session_id: string };
    const typed = `/usr/bin/python3 -c 'import fcntl
try: fcntl.ioctl(0, 0x5412, b"x"); print("typed")
except OSError as e: print("errno", e.errno)'`;
    await stage.call("terminal_operations.send_input", { session_id: session, input: typed });
    const { result } = await stage.call("terminal_operations.get_output", { session_id: session });
    await stage.call("terminal_operations.close_session", { session_id: session });
    expect(result)
      .to.match(/errno 1\b/)
      .and.not.match(/\ntyped/);
    const environments = await stage.shell(
      "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c PERGOLA_COMMAND; ls -d /proc/[0-9]* | wc -l",
    );
    const [own, processes] = environments.trim().split("\n").map(Number);
    expect([own! < 12, processes! < 12], environments).to.deep.equal([true, true]);
    expect(await stage.shell(`cat /proc/${process.pid}/environ 2>/dev/null || echo hidden`)).to.equal(
      "hidden\n",
    );
  });

  it("X60: an ordinary user's fork bomb meets a limit", async function () {
    if (process.getuid?.() !== 0) this.skip();
    const script = path.join(import.meta.dirname, "support/fork-many.ts");
    const child = spawn(
      "setpriv",
      [
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        process.execPath,
        "--import=tsx",
        "--conditions=source",
        script,
      ],
      {
        stdio: ["ignore", "pipe", "inherit"],
        env: { PATH: process.env["PATH"], HOME: "/tmp", TMPDIR: "/tmp" },
      },
    );
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (output += piece));
    await once(child, "close");
    const { started, refused } = JSON.parse(output) as { started: number; refused: boolean };
    expect(refused, output).to.equal(true);
    expect(started).to.be.within(1, 64);
  });
});
