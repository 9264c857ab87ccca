import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { apiPage } from "../../scripts/pages/api-page.ts";
import { errorsPage } from "../../scripts/pages/errors-page.ts";
import { operationsPage } from "../../scripts/pages/limits-table.ts";
import { settingsPage } from "../../scripts/pages/settings-page.ts";
import { filesBelow, read, root } from "./tree.ts";

describe("the documentation", () => {
  it("has its generated pages up to date (npm run docs)", () => {
    expect(read("docs/errors.md")).to.equal(errorsPage());
    expect(read("docs/operations.md")).to.equal(operationsPage(root));
    expect(read("docs/settings.md")).to.equal(settingsPage(root));
  });

  it("O2: has a reference of the HTTP API that is made of the routes (npm run docs)", async () => {
    expect(read("docs/api.md")).to.equal(await apiPage());
  });

  it("names every member of a tool's context", () => {
    const page = read("docs/add-a-tool.md");
    const [, body = ""] =
      /export interface ToolContext \{([^]*?)\n\}/.exec(read("sdk/contract/context.ts")) ?? [];
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?<(:]/gm)].map(([, name = ""]) => name);
    expect(members.length).to.be.above(15);
    expect(members.filter((name) => !new RegExp(`\`${name}\\b`).test(page))).to.deep.equal([]);
  });

  it("links to what there is", () => {
    const pages = ["README.md", "SECURITY.md", ...filesBelow("docs"), ...filesBelow("plugins")].filter(
      (file) => file.endsWith(".md"),
    );
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(path.join(root, path.dirname(page), target)))
        .map((target) => `${page} → ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it("links from the README of the SDK to nothing that its package lacks", () => {
    const links = [...read("sdk/README.md").matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    expect(links.map(([, target]) => target)).to.deep.equal([]);
  });

  it("walks through files that exist, and through none of them twice", () => {
    const named = [...read("docs/walk-of-a-chat-request.md").matchAll(/`([\w./-]+\.ts)`/g)].map(
      ([, file = ""]) => file,
    );
    expect(named.length).to.be.greaterThan(10);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).to.deep.equal([]);
    expect(named.filter((file, index) => named.indexOf(file) !== index)).to.deep.equal([]);
  });

  it("speaks of Pergola and its users only", () => {
    const files = [
      "README.md",
      "SECURITY.md",
      "CHANGELOG.md",
      ...["docs", "core", "sdk", "plugins", "examples", "test", "scripts"].flatMap(filesBelow),
    ].filter((file) => /\.(md|ts|mjs|json)$/.test(file));
    const wrong = files.filter(
      (file) =>
        !file.endsWith("docs.test.ts") && /\.\.\/shared\/|\/work\/main|\/work\/shared/.test(read(file)),
    );
    expect(wrong).to.deep.equal([]);
  });
});
