import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { writePlugin } from "../../support/plugins/write-plugin.ts";
import { freePort, openProject, type Program, type Project } from "../../support/pergola.ts";

interface Listed {
  readonly count: number;
}

/** Too long for the plain form of a name in an archive. */
const deep = path.join(...Array.from({ length: 4 }, () => "Gärten und Zäune ".repeat(6).trim()));

/** The commands of docs/operations.md, among others. */
describe("pergola backup and restore", function () {
  this.timeout(90_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  const inProject = (name: string) => path.join(project.folder, name);
  const backup = (name: string) => project.run(["backup", inProject(name)]);
  const restore = (name: string, ...more: readonly string[]) =>
    project.run(["restore", inProject(name), ...more]);
  const countOf = async (): Promise<number> => {
    const { stdout } = await project.run(["conversations", "list", "--json"]);
    return (JSON.parse(stdout) as Listed).count;
  };
  const start = async (): Promise<Program> => {
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("http://127.0.0.1:");
    return service;
  };
  /** Everything below a folder, as it can be seen from outside. */
  const seen = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  /** Unpacks a backup, lets it be changed, and packs it again. */
  const changed = (name: string, to: string, change: (folder: string) => void): void => {
    const folder = inProject(`${to}.folder`);
    mkdirSync(folder);
    execFileSync("tar", ["xzf", inProject(name), "-C", folder]);
    change(folder);
    execFileSync("tar", ["czf", inProject(to), "-C", folder, "manifest.json", "store", "data"]);
  };

  it("brings back all that was kept, and keeps what was there", async () => {
    await project.run(["run", "Paint the fence"]);
    const workspace = path.join(project.data, "workspaces", "own");
    mkdirSync(path.join(workspace, "empty"), { recursive: true });
    writeFileSync(path.join(workspace, "tool.sh"), "#!/bin/sh\n");
    const large = randomBytes(9 * 2 ** 20 + 1);
    writeFileSync(path.join(workspace, "large.bin"), large);
    mkdirSync(path.join(workspace, deep), { recursive: true });
    writeFileSync(path.join(workspace, deep, "a\\b:.txt"), "deep");
    const odd = Buffer.concat([Buffer.from(path.join(workspace, "odd")), Buffer.from([0xff])]);
    writeFileSync(odd, "odd");
    writeFileSync(path.join(workspace, `two\n${"lines".repeat(40)}`), "long");
    writeFileSync(path.join(project.data, "secret.key"), "key");
    chmodSync(path.join(workspace, "tool.sh"), 0o750);
    symlinkSync("tool.sh", path.join(workspace, "link"));
    mkdirSync(path.join(project.data, "models"));
    writeFileSync(path.join(project.data, "models", "large.gguf"), "large");
    const written = await backup("a.tar.gz");
    expect([written.code, written.stdout]).to.satisfy(
      ([code, text]: [number, string]) => code === 0 && text.includes("a.tar.gz: "),
    );
    expect(written.stdout).to.include("workspaces/own/odd\ufffd").and.include("workspaces/own/two");
    expect(statSync(inProject("a.tar.gz")).mode & 0o777).to.equal(0o600);
    const names = execFileSync("tar", ["tzf", inProject("a.tar.gz")], { encoding: "utf8" }).split("\n");
    expect(names.at(-2)).to.equal("manifest.json");
    expect(names).to.include.members(["store/pergola.db", "data/workspaces/own/empty/"]);
    expect(names.filter((name) => /models|secret\.key|pergola\.(lock|pid)|-wal|service\.json/.test(name))).to
      .be.empty;
    await project.run(["run", "Buy paint"]);
    rmSync(workspace, { recursive: true });
    expect(await countOf()).to.equal(2);

    const asked = await restore("a.tar.gz");
    expect([asked.code, asked.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes("--yes"),
    );
    expect(await countOf()).to.equal(2);

    const restored = await restore("a.tar.gz", "--yes");
    expect(restored.code, restored.stderr).to.equal(0);
    expect(await countOf()).to.equal(1);
    expect(statSync(path.join(workspace, "tool.sh")).mode & 0o777).to.equal(0o750);
    expect(readlinkSync(path.join(workspace, "link"))).to.equal("tool.sh");
    expect(existsSync(path.join(workspace, "empty"))).to.equal(true);
    expect(readFileSync(path.join(workspace, "large.bin")).equals(large)).to.equal(true);
    expect(readFileSync(path.join(workspace, deep, "a\\b:.txt"), "utf8")).to.equal("deep");
    expect(readFileSync(path.join(project.data, "secret.key"), "utf8")).to.equal("key");
    expect(readFileSync(path.join(project.data, "models", "large.gguf"), "utf8")).to.equal("large");
    expect(statSync(project.data).mode & 0o777).to.equal(0o700);
    const beside = readdirSync(path.dirname(project.data)).filter((name) => name.startsWith("data."));
    expect(beside).to.have.lengthOf(1);
    expect(restored.stdout).to.include(beside[0]);
    expect(seen(path.join(path.dirname(project.data), beside[0]!))).to.include("pergola.db");
  });

  it("copies while a service writes; what was acknowledged before is in it, and the service goes on", async () => {
    await start();
    for (const task of ["one", "two", "three"]) await project.run(["run", task]);
    let isDone = false;
    const writing = (async () => {
      let count = 0;
      while (!isDone) count += (await project.run(["run", "more"])).code === 0 ? 1 : 0;
      return count;
    })();
    const written = await backup("busy.tar.gz");
    isDone = true;
    expect(written.code, written.stderr).to.equal(0);
    expect(await writing).to.be.at.least(1);
    const refused = await restore("busy.tar.gz", "--yes");
    expect([refused.code, refused.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes("Stop it first"),
    );
    const total = await countOf();
    const copy = inProject("elsewhere");
    const moved = await project.run(
      ["restore", inProject("busy.tar.gz"), "--data", copy, "--settings", project.settings()],
      { bare: true },
    );
    expect(moved.code, moved.stderr).to.equal(0);
    const { stdout } = await project.run(["conversations", "list", "--json", "--data", copy], { bare: true });
    expect((JSON.parse(stdout) as Listed).count).to.be.within(3, total);
    expect(readdirSync(project.folder).filter((name) => name.includes("restor"))).to.be.empty;
  });

  it("forgets nothing of the audit", async () => {
    await project.run(["run", "Paint the fence"]);
    await backup("a.tar.gz");
    await project.run(["tokens", "add", "phone", "--scope", "chat"]);
    const audit = (where: string): string => readFileSync(path.join(where, "audit", "audit.jsonl"), "utf8");
    const lines = audit(project.data);
    expect(lines).to.match(/"action":"token\./);
    const restored = await restore("a.tar.gz", "--yes", "--json");
    const { before } = JSON.parse(restored.stdout) as { readonly before: string };
    const [own, ...more] = audit(project.data).slice(lines.length).trim().split("\n");
    expect(more).to.deep.equal([]);
    expect(own).to.include('"action":"data.restore"').and.include('"kind":"owner"');
    await project.run(["run", "Paint it again"]);
    expect(audit(project.data).startsWith(lines)).to.equal(true);
    expect((await project.run(["audit", "--verify"])).code).to.equal(0);
    expect([audit(before), readdirSync(path.join(before, "audit"))]).to.deep.equal([
      lines,
      ["audit.jsonl", "head.json"],
    ]);
  });

  it("has an audit that fits together, though a service writes into it meanwhile", async () => {
    await start();
    let isDone = false;
    const writing = (async () => {
      while (!isDone) await project.run(["tokens", "add", "phone", "--scope", "chat"]);
    })();
    await backup("busy.tar.gz");
    isDone = true;
    await writing;
    const where = ["--data", inProject("elsewhere")];
    const moved = await project.run(["restore", inProject("busy.tar.gz"), ...where], { bare: true });
    expect(moved.code, moved.stderr).to.equal(0);
    expect((await project.run(["audit", "--verify", ...where], { bare: true })).code).to.equal(0);
  });

  it("loads no storage that nobody has approved", async () => {
    const provides = { storages: ["journal"] };
    const use = writePlugin(project.folder, { id: "storage-journal", kind: "storage", provides });
    project.settings({
      plugins: ["@pergola/bundle-standard", { use, isolation: "trusted" }],
      storage: { type: "journal" },
    });
    const { code, stderr } = await backup("a.tar.gz");
    expect([code, existsSync(inProject("a.tar.gz"))]).to.deep.equal([3, false]);
    expect(stderr).to.include("nobody has approved it yet");
  });

  it("a damaged store can be replaced, and is kept", async () => {
    await project.run(["run", "Paint the fence"]);
    await backup("a.tar.gz");
    writeFileSync(
      path.join(project.data, "pergola.db"),
      "no database at all, but long enough to be one".repeat(99),
    );
    expect((await project.run(["conversations", "list"])).code).to.equal(3);
    const restored = await restore("a.tar.gz", "--yes");
    expect(restored.code, restored.stderr).to.equal(0);
    expect(await countOf()).to.equal(1);
    const [before = ""] = readdirSync(path.dirname(project.data)).filter((name) =>
      name.includes("before-restore"),
    );
    const kept = path.join(path.dirname(project.data), before, "pergola.db");
    expect(readFileSync(kept, "utf8")).to.match(/^no database at all/);
  });

  it("what is no whole backup changes nothing", async () => {
    await project.run(["run", "Paint the fence"]);
    await backup("a.tar.gz");
    const whole = readFileSync(inProject("a.tar.gz"));
    writeFileSync(inProject("cut.tar.gz"), whole.subarray(0, whole.length - 2000));
    const flipped = Buffer.from(whole);
    flipped[Math.floor(flipped.length / 2)]! ^= 0xff;
    writeFileSync(inProject("flipped.tar.gz"), flipped);
    writeFileSync(inProject("text.tar.gz"), "Hello.");
    changed("a.tar.gz", "later.tar.gz", (folder) => {
      const file = path.join(folder, "manifest.json");
      writeFileSync(file, readFileSync(file, "utf8").replace('"format": 1', '"format": 99'));
    });
    changed("a.tar.gz", "other.tar.gz", (folder) => {
      const file = path.join(folder, "manifest.json");
      writeFileSync(file, readFileSync(file, "utf8").replace('"sqlite"', '"postgres"'));
    });
    changed("a.tar.gz", "newer-store.tar.gz", (folder) => {
      const [store, list] = [path.join(folder, "store", "pergola.db"), path.join(folder, "manifest.json")];
      const digest = (): string => createHash("sha256").update(readFileSync(store)).digest("hex");
      const before = digest();
      const script = `
        const Database = require("better-sqlite3");
        new Database(process.argv[1]).pragma("user_version = 999");`;
      execFileSync(process.execPath, ["-e", script, store]);
      writeFileSync(list, readFileSync(list, "utf8").replace(before, digest()));
    });
    changed("a.tar.gz", "link.tar.gz", (folder) => symlinkSync("/etc", path.join(folder, "data", "notes")));
    changed("a.tar.gz", "outside-link.tar.gz", (folder) => {
      const file = path.join(folder, "manifest.json");
      const link = { path: "workspaces/../../outside", target: "/etc" };
      const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
      writeFileSync(file, JSON.stringify({ ...manifest, links: [link] }));
    });
    changed("a.tar.gz", "behind-link.tar.gz", (folder) => {
      const file = path.join(folder, "manifest.json");
      mkdirSync(path.join(folder, "data", "workspaces"), { recursive: true });
      const links = [
        { path: "workspaces/a", target: project.folder },
        { path: "workspaces/a/planted", target: "/etc" },
      ];
      const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
      writeFileSync(file, JSON.stringify({ ...manifest, links }));
    });
    const folder = inProject("escape");
    mkdirSync(path.join(folder, "data"), { recursive: true });
    writeFileSync(inProject("planted"), "x");
    execFileSync("tar", ["czPf", inProject("escape.tar.gz"), "-C", folder, "../planted"]);
    const before = [seen(project.data), await countOf()];
    const refusals: Readonly<Record<string, RegExp>> = {
      "cut.tar.gz": /unexpected end|truncated/i,
      "flipped.tar.gz": /cannot be restored/,
      "text.tar.gz": /cannot be restored/,
      "later.tar.gz": /a format that this one does not know/,
      "other.tar.gz": /with the storage postgres/,
      "newer-store.tar.gz": /newer|later/,
      "link.tar.gz": /is a link/,
      "outside-link.tar.gz": /is no link of a workspace/,
      "behind-link.tar.gz": /is no link of a workspace/,
      "escape.tar.gz": /leads out of it/,
      "none.tar.gz": /There is no file/,
    };
    for (const [name, words] of Object.entries(refusals)) {
      const { code, stderr } = await restore(name, "--yes");
      expect(stderr, name).to.match(words);
      expect(code, name).to.be.oneOf([2, 3]);
    }
    expect([seen(project.data), await countOf()]).to.deep.equal(before);
    expect(readdirSync(path.dirname(project.data)).filter((name) => name.startsWith("data."))).to.be.empty;
  });
});
