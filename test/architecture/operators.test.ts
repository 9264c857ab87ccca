import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { filesBelow, read, root } from "./tree.ts";

interface LockedPackage {
  readonly name?: string;
  readonly hasInstallScript?: true;
}

const lock = JSON.parse(read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const pack = JSON.parse(read("package.json")) as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly overrides: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};
const locked = Object.entries(lock.packages).map(([place, found]) => ({
  name: place.replace(/^.*node_modules\//, ""),
  ...found,
  place,
}));

describe("what operators meet", () => {
  it("O5: an installed clone holds no builds for graphics cards; the docs say how to leave them out elsewhere", () => {
    const builds = locked.filter(({ place }) => /@node-llama-cpp\/.*(cuda|vulkan)/.test(place));
    expect(builds.length).to.be.above(0);
    expect(builds.filter(({ name }) => name !== "empty-npm-package")).to.deep.equal([]);
    const [, block = ""] = /```json\n(\{\n {2}"overrides"[^]*?)```/.exec(read("docs/plugins.md")) ?? [];
    const { overrides } = JSON.parse(block) as typeof pack;
    const own = Object.entries(pack.overrides).filter(([name]) => name.startsWith("@node-llama-cpp/"));
    expect(overrides).to.deep.equal(Object.fromEntries(own));
  });

  it("O10: every package with an install script has been decided on, and none that is gone", () => {
    const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript === true);
    const names = new Set(scripted.map(({ place }) => place.replace(/^.*node_modules\//, "")));
    const undecided = [...names].filter((name) => pack.allowScripts[name] === undefined);
    expect(undecided).to.deep.equal([]);
    const overridden = Object.keys(pack.overrides);
    const decided = Object.keys(pack.allowScripts).filter((name) => !overridden.includes(name));
    expect(decided.filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it("O6: the first thing to do after the start is to chat, not to read JSON", () => {
    const typed = read("README.md").match(/^np[mx] .+?(?=\s+#|$)/gm);
    expect(typed).to.deep.equal(["npm ci && npm start", "npm ci && npm test", "npx pergola chat"]);
  });

  it("O9: the README says which release of Node to use, and the tests run on it", () => {
    expect(read("README.md")).to.include("Use Node 24").and.include("`npm run test:node24`");
    expect(pack.scripts["test:node24"]).to.equal("node scripts/test-on-node.mjs 24");
  });

  it("O13: a new machine gets what the CalDAV server of the tests needs, and there is a run on a bare one", () => {
    expect(read(".ci/run")).to.match(/^programs=\(.*\bradicale python3-tz\b/m);
    expect(existsSync(path.join(root, "scripts/fresh.sh"))).to.equal(true);
  });
});

describe("what the pages say of things that are not there", () => {
  const pages = ["README.md", ...["docs", "core", "sdk", "plugins", "examples"].flatMap(filesBelow)].filter(
    (file) => file.endsWith(".md") && !file.includes("node_modules"),
  );

  it("O7: no page of a plugin says that something does not exist yet, which ages unseen", () => {
    const own = pages.filter((page) => /^(plugins|core|sdk|examples)\//.test(page));
    const stale = own.filter((page) =>
      /\b(does|do) not exist yet|coming soon|for the time being/i.test(read(page)),
    );
    expect(stale).to.deep.equal([]);
    expect(own.length).to.be.above(60);
  });

  it("O3: there is a page on remote access, and isolation without walls is said to guard against mistakes only", () => {
    const said = (file: string): string => read(file).replace(/\s+/g, " ");
    for (const page of ["README.md", "docs/operations.md"]) expect(said(page)).to.include("remote-access.md");
    const remote = said("docs/remote-access.md");
    for (const words of ["reverse proxy", "certificate", "trust", "container", "pergola tokens add"])
      expect(remote).to.include(words);
    for (const page of ["README.md", "docs/architecture.md", "docs/add-a-tool.md", "docs/plugins.md"])
      expect(said(page), page).to.match(/\bwalls\b.*against mistakes, not against malice/);
  });

  it("O8: settings say that http stays http for the private hosts that are allowed", () => {
    expect(read("docs/settings.md")).to.match(/`tools\.web\.allowed_private_hosts`.*stays http/);
  });

  it("O4: there is a page for operators, and it says what is missing", () => {
    const page = read("docs/operations.md");
    for (const word of ["systemd", "container", "/health", "Back up", "downgrade", "Logs"])
      expect(page.toLowerCase()).to.include(word.toLowerCase());
    const [, missing = ""] = /## Not there yet\n([^]*)/.exec(page) ?? [];
    for (const word of ["readiness", "several hosts"]) expect(missing).to.include(word);
    expect(page).to.include("pergola service install").and.include("pergola status").and.include("/logs`");
    for (const word of ["service install", "log file"]) expect(missing).not.to.include(word);
  });

  it("O11: there is a page on long conversations", () => {
    const page = read("docs/long-conversations.md");
    for (const word of ["context window", "trim", "compact"]) expect(page).to.include(word);
  });

  it("A4: there are pages on routes, policies and storages, and the first says how endpoints are named", () => {
    for (const page of ["docs/add-a-route.md", "docs/add-a-policy.md", "docs/add-a-storage.md"])
      expect(pages).to.include(page);
    expect(read("docs/add-a-route.md")).to.match(/"endpoints": \["POST \/api\//);
  });
});
