import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import ssh2, { type Attributes, type SFTPWrapper } from "ssh2";
import { bench } from "./context.ts";
import { faultServer, trust, type FaultServer } from "./fault-server.ts";
import { testHome, type Home } from "./home.ts";
import { needsKeys } from "./open-ssh-server.ts";

const { OK, EOF, FAILURE, OP_UNSUPPORTED } = ssh2.utils.sftp.STATUS_CODE;
const attributes = (mode: number, size = 1): Attributes => ({
  mode,
  size,
  uid: 0,
  gid: 0,
  atime: 0,
  mtime: 0,
});
const [folder, file] = [attributes(0o040755), attributes(0o100644)];

/** Files that say what the test wants: the names in each folder, and what each file holds. */
function lyingFiles(names: readonly string[], kind: Attributes, rounds = 1) {
  return (sftp: SFTPWrapper): void => {
    let [listed, read] = [0, 0];
    sftp
      .on("STAT", (id) => sftp.attrs(id, folder))
      .on("OPENDIR", (id) => sftp.handle(id, Buffer.from("d")))
      .on("READDIR", (id) => {
        if ((listed += 1) > rounds) return sftp.status(id, EOF);
        return sftp.name(
          id,
          names.map((filename) => ({ filename, longname: filename, attrs: kind })),
        );
      })
      .on("OPEN", (id) => ((read = 0), sftp.handle(id, Buffer.from("f"))))
      .on("READ", (id) => ((read += 1) === 1 ? sftp.data(id, Buffer.from("!")) : sftp.status(id, EOF)))
      .on("CLOSE", (id) => sftp.status(id, OK));
  };
}

describe("copying from a machine that lies", function () {
  this.timeout(30_000);
  let [home, server] = [] as unknown as [Home, FaultServer | undefined];
  before(needsKeys);
  beforeEach(() => {
    home = testHome();
    server = undefined;
  });
  afterEach(async () => {
    home.restore();
    await server?.stop();
  });

  async function lying(onFiles: (sftp: SFTPWrapper) => void) {
    const made = await faultServer({ onFiles });
    server = made;
    trust(home, made);
    return bench(made.port);
  }

  for (const name of ["../escaped", "..\\escaped", "/etc/escaped", "a/../../escaped", "a\0b", "a/b"])
    it(`writes nothing for the name ${JSON.stringify(name)} in a listing`, async () => {
      const here = await lying(lyingFiles(["good", name], file));
      const error = await here.failure("retrieve_files", { files: ["x"] });
      expect(error.message).to.contain("is not a name");
      const { workingDirectory } = here.context;
      expect(existsSync(path.join(workingDirectory, "../escaped"))).to.equal(false);
      expect(readdirSync(workingDirectory)).to.deep.equal([]);
    });

  it("passes over . and ..", async () => {
    const here = await lying(lyingFiles([".", "..", "good"], file));
    await here.run("retrieve_files", { files: ["x"] });
    expect(readdirSync(path.join(here.context.workingDirectory, "x"))).to.deep.equal(["good"]);
  });

  it("ends in folders without end", async () => {
    const here = await lying(lyingFiles(["deeper"], folder, Infinity));
    expect((await here.failure("retrieve_files", { files: ["x"] })).code).to.equal("generic_error");
  });

  it("ends in a listing without end", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `file${index}`);
    const here = await lying(lyingFiles(names, file, Infinity));
    expect((await here.failure("retrieve_files", { files: ["x"] })).message).to.contain(
      "more than 1000 entries",
    );
  });

  it("believes no size", async () => {
    const here = await lying((sftp) => {
      lyingFiles([], file)(sftp);
      sftp.removeAllListeners("STAT").on("STAT", (id) => sftp.attrs(id, attributes(0o100644, 2 ** 40)));
    });
    const { data } = await here.run("retrieve_files", { files: ["x"] });
    expect(data).to.deep.include({ files: [{ remote: "x", path: "./x", size: 1 }] });
  });

  for (const [title, code, answer] of [
    ["hangs up", "network_error", (_sftp: SFTPWrapper, id: number): unknown => (server?.hangUp(), id)],
    ["fails", "generic_error", (sftp: SFTPWrapper, id: number): unknown => sftp.status(id, FAILURE)],
  ] as const)
    it(`leaves no half file when the other side ${title} in the middle`, async () => {
      let reads = 0;
      const here = await lying((sftp) => {
        lyingFiles([], file)(sftp);
        sftp.removeAllListeners("STAT").on("STAT", (id) => sftp.attrs(id, file));
        sftp
          .removeAllListeners("READ")
          .on("READ", (id) => ((reads += 1) === 1 ? sftp.data(id, Buffer.from("half")) : answer(sftp, id)));
      });
      const error = await here.failure("retrieve_files", { files: ["x"] });
      expect(error.code).to.equal(code);
      expect(reads).to.equal(2);
      expect(readdirSync(here.context.workingDirectory)).to.deep.equal([]);
    });

  it("renames plainly where the server has no rename of OpenSSH's", async () => {
    const renamed: string[] = [];
    const here = await lying((sftp) => {
      sftp
        .on("STAT", (id) => sftp.attrs(id, folder))
        .on("OPEN", (id) => sftp.handle(id, Buffer.from("f")))
        .on("WRITE", (id) => sftp.status(id, OK))
        .on("CLOSE", (id) => sftp.status(id, OK))
        .on("EXTENDED", (id) => sftp.status(id, OP_UNSUPPORTED))
        .on("RENAME", (id, from, to) => (renamed.push(from, to), sftp.status(id, OK)));
    });
    await here.context.files.write("a.txt", "a");
    await here.run("transfer_files", { files: ["a.txt"], directory: "/d" });
    expect(renamed[0]).to.match(/^\/d\/a\.txt\.pergola-\w+$/);
    expect(renamed[1]).to.equal("/d/a.txt");
  });

  it("says when the machine copies no files", async () => {
    const made = await faultServer({
      onCommand: (channel) => {
        channel.exit(0);
        channel.end();
      },
      noFiles: true,
    });
    server = made;
    trust(home, made);
    expect((await bench(made.port).failure("retrieve_files", { files: ["x"] })).code).to.equal("unavailable");
    const { data, message } = await bench(made.port).run("execute_remote", {
      command: "true",
      output_files: ["x"],
    });
    expect(data).to.deep.include({ exitCode: 0, outputFiles: [] });
    expect(message).to.contain("x was not copied");
  });
});
