import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { ToolError, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { compute } from "../operations/compute.ts";
import { dataOf, failure } from "./failure.ts";

const isInstalled = (): boolean =>
  spawnSync("bwrap", ["--version"]).status === 0 && spawnSync("/usr/bin/python3", ["--version"]).status === 0;

const isSandbox = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("def close_doors");
  } catch {
    return false;
  }
};

function isBelowThis(pid: number): boolean {
  try {
    const parent = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
    return parent === process.pid || (parent > 1 && isBelowThis(parent));
  } catch {
    return false;
  }
}

/** The processes that run our program for this one now, inside and outside the sandbox. */
const sandboxes = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isSandbox(pid) && isBelowThis(pid));

const answers = async (code: string): Promise<string> => dataOf(compute, { code });
const failsWith = async (code: string): Promise<string> => (await failure(compute, { code })).message;

describe("math_operations.compute", () => {
  before(function () {
    if (isInstalled()) return;
    console.log("      skipped: needs the Debian packages bubblewrap and python3");
    this.skip();
  });

  it("gives what the code prints", async () => {
    expect(await answers("for n in range(3):\n    print(n * n)")).to.equal("0\n1\n4");
  });

  it("prints the value of a last expression", async () => {
    expect(await answers("x = 2\nx ** 100")).to.equal(String(2n ** 100n));
  });

  it("has the standard library and all of Unicode", async () => {
    const code =
      "import decimal, fractions, json, math, random, statistics\nprint('é🙂', math.comb(49, 6), statistics.median([3, 1, 2]))";
    expect(await answers(code)).to.equal("é🙂 13983816 2");
  });

  it("says when nothing was printed", async () => {
    const { data, message } = await runOperation(compute, { code: "x = 1" }, toolContext());
    expect([data, message]).to.deep.equal(["", "The code printed nothing; print what you need."]);
  });

  it("fails with the error's own words, and what was printed before", async () => {
    const error = await failure(compute, { code: "print('before')\n1 / 0" });
    expect(error.code).to.equal("generic_error");
    expect(error.message).to.match(
      /^The code failed:\nbefore\nTraceback[^]*line 2[^]*ZeroDivisionError: division by zero$/,
    );
    expect(await failsWith("def f(:")).to.contain("SyntaxError");
    expect(await failsWith("import sys; sys.exit(3)")).to.equal(
      "The code failed:\nexit code 1".replace("1", "3"),
    );
  });

  it("A26: sees no file but those that Python needs", async () => {
    const context = toolContext();
    writeFileSync(path.join(context.workingDirectory, "secret.txt"), "secret");
    const listing = await runOperation(
      compute,
      { code: "import os\nprint(os.getcwd(), sorted(os.listdir('/')), os.listdir('/usr/bin'))" },
      context,
    );
    expect(listing.data).to.match(/^\/ \['dev', 'etc', ('lib', 'lib64'|'lib'), 'usr'\] \['python3'\]$/);
    for (const file of [
      "/etc/shadow",
      "/proc/self/environ",
      path.join(context.workingDirectory, "secret.txt"),
      import.meta.filename,
    ])
      expect(await failsWith(`open(${JSON.stringify(file)})`), file).to.contain("FileNotFoundError");
    const accounts = await runOperation(compute, { code: `print(open("/etc/passwd").read())` }, context);
    expect((accounts.data as string).trim().split("\n")).to.have.lengthOf(1);
  });

  it("A26: can write nowhere", async () => {
    for (const file of ["/x", "/tmp/x", "/usr/lib/x", "/usr/bin/python3"])
      expect(await failsWith(`open(${JSON.stringify(file)}, "w")`), file).to.match(
        /Read-only file system|FileNotFoundError|PermissionError/,
      );
    expect(await failsWith("import os; os.mkdir('/x')")).to.contain("Read-only file system");
  });

  it("A26: has no network, not even this computer's", async () => {
    let reached = 0;
    const server = createServer((_request, response) => response.end(String((reached += 1))));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      expect(
        await failsWith(`import urllib.request; urllib.request.urlopen("http://127.0.0.1:${port}/")`),
      ).to.contain("not permitted");
      for (const family of ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"])
        expect(
          await failsWith(`import socket; socket.socket(socket.${family}, socket.SOCK_DGRAM)`),
        ).to.contain("PermissionError");
    } finally {
      server.close();
    }
    expect(reached).to.equal(0);
  });

  it("A26: has no environment", async () => {
    process.env["PERGOLA_TEST_SECRET"] = "hunter2";
    try {
      expect(await answers("import os; print(dict(os.environ))")).to.equal("{}");
      const code =
        "import ctypes; f = ctypes.CDLL(None).getenv; f.restype = ctypes.c_char_p; print(f(b'PERGOLA_TEST_SECRET'), f(b'HOME'))";
      expect(await answers(code)).to.equal("None None");
    } finally {
      delete process.env["PERGOLA_TEST_SECRET"];
    }
  });

  it("A26: can start no process and no thread, and sees no other", async () => {
    expect(await failsWith("import os; os.fork()")).to.contain("PermissionError");
    expect(await failsWith("import os; os.execv('/usr/bin/python3', ['python3'])")).to.contain(
      "PermissionError",
    );
    expect(await failsWith("import subprocess; subprocess.run(['/usr/bin/python3'])")).to.contain(
      "PermissionError",
    );
    expect(await failsWith("import threading; threading.Thread(target=print).start()")).to.contain(
      "can't start new thread",
    );
    expect(await failsWith("import os; os.kill(-1, 9)")).to.contain("ProcessLookupError");
  });

  it("A26: can get no further with the kernel's own calls", async () => {
    const code =
      "import ctypes\ncall = ctypes.CDLL(None).syscall\nprint([call(number, 0, 0, 0, 0, 0) for number in NUMBERS])";
    const [refused, count] =
      process.arch === "arm64" ? ["[220, 435, 97, 40, 425]", 5] : ["[56, 57, 435, 272, 165, 425]", 6];
    expect(await answers(code.replace("NUMBERS", refused))).to.equal(
      JSON.stringify(Array(count).fill(-1)).replaceAll(",", ", "),
    );
    const otherTable = "import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 41, 0, 0, 0)";
    if (process.arch === "x64") expect(await failsWith(otherTable)).to.contain("exit code 159");
  });

  it("holds at most 256 MiB", async () => {
    expect(await failsWith("x = bytearray(256 * 1024 * 1024)")).to.contain("MemoryError");
    expect(await answers("len(bytearray(128 * 1024 * 1024))")).to.equal("134217728");
  });

  it("keeps what floods the output within bounds", async () => {
    const output = await answers("for n in range(200000): print('xxxxxxxxxx')");
    expect(output.length).to.be.within(262_144, 263_000);
    expect(output).to.contain("The rest of the output was dropped");
  });

  it("is ended by a cancel, not by a limit, and leaves nothing behind", async function () {
    this.timeout(60_000);
    const cancel = new AbortController();
    const context = toolContext({ signal: cancel.signal });
    // The deadline lies beyond the test's own, and sleep uses no CPU time: only the cancel can end the code.
    const spawn: ToolContext["spawn"] = (program, args, options) =>
      context.spawn(program, args, { ...options, timeoutSeconds: 600 });
    const call = failure(compute, { code: "import time; time.sleep(600)" }, { ...context, spawn });
    while (sandboxes().length === 0) await sleep(20);
    const ours = sandboxes();
    cancel.abort(new ToolError("cancelled", "Stopped."));
    expect((await call).code).to.equal("cancelled");
    while (ours.some(isSandbox)) await sleep(20);
    expect(sandboxes()).to.deep.equal([]);
  });

  it("stops after 10 seconds", async function () {
    this.timeout(60_000);
    const begun = performance.now();
    // The CPU limit of 12 s would end it with another error.
    expect((await failure(compute, { code: "while True: pass" })).code).to.equal("timeout");
    expect(performance.now() - begun).to.be.at.least(9000);
  });
});

describe("math_operations.compute without a sandbox", () => {
  const spawned = (result: Partial<SpawnResult>) => async (): Promise<SpawnResult> => ({
    exitCode: 1,
    stdout: "",
    stderr: "",
    timedOut: false,
    truncated: false,
    ...result,
  });

  it("is unavailable where bubblewrap is missing, and says what to install", async () => {
    const spawn = async (): Promise<never> => {
      throw new ToolError("unavailable", 'The program "bwrap" is not installed.');
    };
    const { code, hint } = await failure(compute, { code: "1" }, toolContext({ spawn }));
    expect(code).to.equal("unavailable");
    expect(hint).to.contain("Debian packages bubblewrap and python3");
  });

  it("is unavailable where the system allows no sandbox, and says why", async () => {
    const spawn = spawned({ stderr: "bwrap: No permissions to create new namespace\n" });
    const { code, message } = await failure(compute, { code: "1" }, toolContext({ spawn }));
    expect([code, message]).to.deep.equal([
      "unavailable",
      "Python cannot be isolated here: bwrap: No permissions to create new namespace.",
    ]);
  });

  it("never takes output for a result that does not come from inside", async () => {
    const spawn = spawned({ exitCode: 0, stdout: "42" });
    expect((await failure(compute, { code: "42" }, toolContext({ spawn }))).code).to.equal("unavailable");
  });

  it("refuses more than 100 lines before anything is started", async () => {
    const spawn = async (): Promise<never> => expect.fail("started");
    const code = Array.from({ length: 101 }, () => "x = 1").join("\n");
    expect((await failure(compute, { code }, toolContext({ spawn }))).code).to.equal("invalid_value");
  });
});
