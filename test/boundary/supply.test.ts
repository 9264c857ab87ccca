import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";
import { commandOf } from "../support/pergola.ts";
import { openSupplyScene, type SupplyScene } from "../support/supply-scene.ts";
import { needsSandbox } from "./support/program-stage.ts";

const names = ["preinstall", "install", "postinstall", "prepare", "prepack"] as const;
const write = (file: string): void => chmodSync(file, 0o644);

/** Keeps a folder in a git repository of its own; gives the commit. */
function commit(folder: string): string {
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
  return git("rev-parse", "HEAD").trim();
}

describe("the supply of plugins", function () {
  this.timeout(240_000);
  let scene: SupplyScene;
  before(needsSandbox);
  beforeEach(async () => {
    scene = await openSupplyScene();
  });
  afterEach(() => scene.close());

  const lock = (): Readonly<Record<string, { readonly version: string; readonly integrity: string }>> =>
    JSON.parse(readFileSync(path.join(scene.project.data, "plugins", "lock.json"), "utf8")) as never;

  it("X21 runs no install script, from a folder, git, a tarball or a registry, whatever an .npmrc says", async () => {
    const marker = (name: string): string => path.join(scene.folder, `ran-${name}`);
    const scripts = Object.fromEntries(names.map((name) => [name, `touch ${marker(name)}`]));
    const ran = (): readonly string[] => names.filter((name) => existsSync(marker(name)));
    const folder = scene.dice({ scripts });
    for (const place of [
      folder,
      scene.project.environment["HOME"]!,
      path.join(scene.project.data, "plugins"),
    ])
      if (existsSync(place)) writeFileSync(path.join(place, ".npmrc"), "ignore-scripts=false\n");
    execFileSync("npm", ["run", "postinstall"], { cwd: folder, stdio: "pipe" });
    expect(ran(), "the script works when it is run").to.deep.equal(["postinstall"]);
    rmSync(marker("postinstall"));
    scene.publish({ scripts });
    const repository = scene.dice({ scripts });
    const sources = {
      folder,
      git: `git+file://${repository}#${commit(repository)}`,
      tarball: scene.pack(folder),
      registry: "tool-dice",
    };
    for (const [kind, source] of Object.entries(sources)) {
      const { code, stdout, stderr } = await scene.add(source);
      expect(code, `${kind}: ${stderr}`).to.equal(0);
      expect(stdout, kind).to.include(
        "not run: tool-dice: preinstall, tool-dice: install, tool-dice: postinstall",
      );
      expect(ran(), kind).to.deep.equal([]);
      expect(await scene.roll(), kind).to.include("rolled");
      const kept = JSON.parse(readFileSync(path.join(scene.installed(), "package.json"), "utf8")) as object;
      expect(kept, kind)
        .to.have.property("scripts")
        .that.includes.keys(...names);
      await scene.run("plugins", "remove", "tool-dice");
      expect(scene.kept(), kind).to.deep.equal([]);
    }
    expect(ran()).to.deep.equal([]);
    expect(scene.registry.requests).to.include("/tool-dice");
  });

  it("X22 leaves out a plugin of which a byte, a file or an x-bit has changed since it was approved", async () => {
    await scene.add(scene.dice());
    expect(await scene.roll()).to.include("rolled");
    const entry = path.join(scene.installed(), "index.js");
    const marker = path.join(scene.folder, "changed-code-ran");
    const before = readFileSync(entry);
    const changes: Readonly<Record<string, readonly [() => void, () => void]>> = {
      byte: [
        () =>
          appendFileSync(
            entry,
            `\nimport { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "");`,
          ),
        () => writeFileSync(entry, before),
      ],
      file: [
        () => writeFileSync(path.join(scene.installed(), "more.js"), ""),
        () => rmSync(path.join(scene.installed(), "more.js")),
      ],
      bit: [() => chmodSync(entry, 0o755), () => chmodSync(entry, 0o644)],
    };
    for (const [what, [change, undo]] of Object.entries(changes)) {
      write(entry);
      change();
      const status = await scene.status();
      expect(status?.state, what).to.equal("left out");
      expect(status?.fault, what).to.include("it has changed since you approved it");
      expect(await scene.roll(), what).to.not.include("rolled");
      expect(existsSync(marker), what).to.equal(false);
      undo();
      write(entry);
      expect((await scene.status())?.state, `${what}, undone`).to.equal("running");
    }
  });

  it("X22 does not go back to a version that has changed, by hand or by itself", async () => {
    scene.publish();
    await scene.add("tool-dice");
    scene.publish({ version: "1.1.0" });
    expect((await scene.run("plugins", "update", "--yes")).code).to.equal(0);
    expect((await scene.status())?.version).to.equal("1.1.0");
    const old = path.join(scene.installed("1.0.0"), "index.js");
    write(old);
    appendFileSync(old, "\n");
    const { code, stderr } = await scene.run("plugins", "rollback", "tool-dice");
    expect([code, stderr]).to.satisfy(([, text]: readonly [number, string]) =>
      text.includes("has changed since you approved it"),
    );
    expect(code).to.not.equal(0);
    expect(lock()["tool-dice"]?.version).to.equal("1.1.0");
    expect((await scene.status())?.version).to.equal("1.1.0");
  });

  it("X22 refuses other bytes under the version that was approved", async () => {
    scene.publish();
    await scene.add("tool-dice");
    const { integrity } = lock()["tool-dice"]!;
    scene.publish({ body: "return { data: 'other bytes' };" });
    for (const words of [
      ["plugins", "update", "--yes"],
      ["plugins", "add", "tool-dice", "--yes"],
      ["plugins", "add", "tool-dice", "--dry-run"],
    ]) {
      const { code, stderr } = await scene.run(...words);
      expect([code === 0, stderr.includes("Integrity mismatch")], words.join(" ")).to.deep.equal([
        false,
        true,
      ]);
    }
    expect(lock()["tool-dice"]!.integrity).to.equal(integrity);
    expect(scene.kept()).to.deep.equal(["tool-dice"]);
    expect(await scene.roll()).to.include("rolled");
  });

  it("X23 takes a wider permission or effect only from somebody who has seen it, --yes or not", async () => {
    scene.publish();
    await scene.add("tool-dice");
    const wider: Readonly<Record<string, Parameters<SupplyScene["publish"]>[0]>> = {
      "network: example.org": { version: "1.1.0", permissions: { network: ["example.org"] } },
      "files: workspace": { version: "1.2.0", permissions: { files: "workspace" } },
      "dice.roll: execute": { version: "1.3.0", effect: "execute" },
    };
    for (const [what, options] of Object.entries(wider)) {
      scene.publish(options);
      const { code, stderr } = await scene.run("plugins", "update", "--yes");
      expect(stderr, what).to.include(`It asks for more than before: ${what}`);
      expect([code === 0, lock()["tool-dice"]?.version], what).to.deep.equal([false, "1.0.0"]);
      expect((await scene.status())?.version, what).to.equal("1.0.0");
    }
    const permissions = await scene.digest("plugins", "update");
    const wrong = await scene.run("plugins", "update", "--yes", "--permissions", "0123456789abcdef");
    expect([wrong.code === 0, lock()["tool-dice"]?.version]).to.deep.equal([false, "1.0.0"]);
    expect((await scene.run("plugins", "update", "--yes", "--permissions", permissions)).code).to.equal(0);
    expect((await scene.status())?.effects).to.deep.equal({ dice: { roll: ["execute"] } });
  });

  it("X23 asks a person at the terminal again, though they gave --yes; no is the default", async () => {
    scene.publish();
    await scene.add("tool-dice");
    scene.publish({ version: "1.1.0", permissions: { files: "workspace" } });
    const { project, folder, registry } = scene;
    // In the background: the registry answers from this process.
    const update = (keys: string) =>
      promisify(execFile)(
        "python3",
        [
          path.join(root, "test", "support", "terminal.py"),
          JSON.stringify([["Allow it all this?", keys]]),
          ...commandOf("build"),
          ...["plugins", "update", "--yes", "--data", project.data],
          ...["--settings", path.join(path.dirname(project.data), "settings.json")],
        ],
        {
          cwd: project.folder,
          env: {
            ...project.environment,
            TERM: "xterm",
            npm_config_registry: registry.url,
            npm_config_cache: path.join(folder, "cache"),
          },
        },
      );
    const refused = await update("\r").catch((error: unknown) => error);
    expect(refused).to.have.property("code", 1);
    expect(lock()["tool-dice"]?.version).to.equal("1.0.0");
    expect((await update("y")).stdout).to.include("files: workspace");
    expect(lock()["tool-dice"]?.version).to.equal("1.1.0");
  });
});
