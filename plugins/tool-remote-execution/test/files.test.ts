import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { bench, operationNamed, type Bench } from "./context.ts";
import { testHome, type Home } from "./home.ts";
import { noServer, openSshServer, type OpenSshServer } from "./open-ssh-server.ts";

interface Copies {
  readonly files: readonly { readonly remote: string; readonly path: string; readonly size: number }[];
}

describe("copying files", function () {
  this.timeout(30_000);
  let [server, home, here, there] = [] as unknown as [OpenSshServer, Home, Bench, string];

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
    there = temporaryFolder();
  });
  after(async () => {
    await server?.stop();
    home?.restore();
  });

  const local = (name: string): string => path.join(here.context.workingDirectory, name);
  const put = (file: string, content: string | Uint8Array, mode = 0o644): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  };

  describe("transfer_files", () => {
    it("copies bytes and mode bits, over what is there, and leaves nothing beside", async () => {
      const bytes = new Uint8Array(700_000).map((_, index) => index * 7);
      put(local("run.sh"), bytes, 0o755);
      put(path.join(there, "deep/er/run.sh"), "old");
      const { files } = await here.data<Copies>("transfer_files", {
        files: ["run.sh"],
        directory: `${there}/deep/er`,
      });
      expect(files).to.deep.equal([{ remote: `${there}/deep/er/run.sh`, path: "run.sh", size: 700_000 }]);
      expect(readFileSync(path.join(there, "deep/er/run.sh")).equals(bytes)).to.equal(true);
      expect(statSync(path.join(there, "deep/er/run.sh")).mode & 0o111).to.equal(0o111);
      expect(readdirSync(path.join(there, "deep/er"))).to.deep.equal(["run.sh"]);
    });

    it("makes the folder, and copies folders without their links", async () => {
      put(local("site/a/b.txt"), "b");
      put(local("site/empty.txt"), "");
      symlinkSync("/etc/passwd", local("site/link"));
      await here.run("transfer_files", { files: ["site"], directory: path.join(there, "new/one") });
      expect(readdirSync(path.join(there, "new/one/site")).toSorted()).to.deep.equal(["a", "empty.txt"]);
      expect(readFileSync(path.join(there, "new/one/site/a/b.txt"), "utf8")).to.equal("b");
    });

    it("says what is missing here, and what is refused there", async () => {
      expect((await here.failure("transfer_files", { files: ["none"], directory: there })).code).to.equal(
        "file_not_found",
      );
      put(local("a"), "a");
      expect(
        (await here.failure("transfer_files", { files: ["a"], directory: "/proc/none" })).message,
      ).to.contain("/proc/none");
    });

    it("sends nothing from where the call may not go", async () => {
      const secret = path.join(temporaryFolder(), "secret");
      put(secret, "s");
      expect((await here.failure("transfer_files", { files: [secret], directory: there })).code).to.equal(
        "permission_denied",
      );
      symlinkSync(secret, local("link"));
      expect((await here.failure("transfer_files", { files: ["link"], directory: there })).code).to.equal(
        "permission_denied",
      );
      expect(readdirSync(there)).to.deep.equal([]);
    });
  });

  describe("retrieve_files", () => {
    it("copies files and folders without their links into a folder here", async () => {
      put(path.join(there, "logs/app/x.log"), "x");
      put(path.join(there, "big.bin"), new Uint8Array(3_000_000).fill(9));
      symlinkSync("/etc", path.join(there, "logs/etc"));
      const { files } = await here.data<Copies>("retrieve_files", {
        files: [`${there}/logs`, `${there}/big.bin`],
        directory: "from",
      });
      expect(files.map((file) => [file.path, file.size])).to.deep.equal([
        ["from/logs/app/x.log", 1],
        ["from/big.bin", 3_000_000],
      ]);
      expect(readFileSync(local("from/logs/app/x.log"), "utf8")).to.equal("x");
      expect(readFileSync(local("from/big.bin")).every((byte) => byte === 9)).to.equal(true);
      expect(existsSync(local("from/logs/etc"))).to.equal(false);
    });

    it("says what is missing, and which folders it may not fill", async () => {
      expect((await here.failure("retrieve_files", { files: [`${there}/none`] })).code).to.equal(
        "file_not_found",
      );
      put(path.join(there, "a"), "a");
      const outside = temporaryFolder();
      expect(
        (await here.failure("retrieve_files", { files: [`${there}/a`], directory: outside })).code,
      ).to.equal("permission_denied");
      expect(readdirSync(outside)).to.deep.equal([]);
    });

    it("reads no endless file", async function () {
      this.timeout(30_000);
      if (!existsSync("/dev/zero")) this.skip();
      const error = await here.failure("retrieve_files", { files: ["/dev/zero"] });
      expect(error.message).to.contain("larger than 64 MiB");
      expect(readdirSync(here.context.workingDirectory)).to.deep.equal([]);
    });
  });

  it("A10: names every path to the policy, those under which files arrive too", () => {
    const touchesOf = (name: string, args: object): unknown => operationNamed(name).touches?.(args as never);
    const hook = { path: "./pre-commit", effect: "write" };
    expect(touchesOf("execute_remote", { output_files: ["a/.git/hooks/pre-commit", ".."] })).to.deep.equal([
      hook,
    ]);
    expect(touchesOf("retrieve_files", { files: ["/x/.mcp.json"], directory: "d" })).to.deep.equal([
      { path: "d/.mcp.json", effect: "write" },
    ]);
    for (const name of ["transfer_files", "retrieve_files"])
      expect(operationNamed(name).parameters["files"]?.items?.format, name).to.equal("path");
    expect(operationNamed("retrieve_files").parameters["directory"]?.format).to.equal("path");
  });

  it("A29: refuses files and folders that begin with a minus", async () => {
    for (const args of [{ files: ["-x"] }, { files: ["x"], directory: "-d" }, { files: [""] }])
      for (const name of ["transfer_files", "retrieve_files"])
        expect((await here.failure(name, args)).code, JSON.stringify(args)).to.equal("invalid_value");
  });
});
