import { expect } from "chai";
import { parse } from "yaml";
import { clients } from "../../plugins/bridge-connect/clients/index.ts";
import { connectionOf } from "../../plugins/bridge-connect/connect.ts";
import { read } from "../architecture/tree.ts";
import { fencesOf } from "../docs/fences.ts";

const facts = { contextTokens: 40_960, outputTokens: 8192, callsTools: true, seesPictures: false };
const service = {
  url: "http://127.0.0.1:8080",
  model: "ollama/qwen3:8b",
  models: [{ id: "ollama/qwen3:8b", facts }],
  program: ["/usr/local/bin/pergola"],
  isOnPath: true,
  options: [],
};
const fences = ["docs/clients.md", "docs/editors.md"].flatMap((page) => fencesOf(page));
const computer = { platform: "linux", home: "/home/ada", environment: {} } as const;

/** A text as what it says, so that a page may break its lines where it likes. */
const saidBy = (text: string, format: string): unknown => {
  if (format === "json") return JSON.parse(text);
  return format === "yaml" ? parse(text) : text;
};

describe("docs/clients.md", () => {
  const page = read("docs/clients.md");
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && line.includes("pergola connect "));

  it("has a row for each client of pergola connect, in the same order, with what proves it", () => {
    expect(rows.map((row) => /pergola connect ([\w-]+)/.exec(row)?.[1])).to.deep.equal(
      clients.map(({ name }) => name),
    );
    for (const [at, row] of rows.entries()) {
      expect(row.startsWith(`| ${clients[at]?.title} |`)).to.equal(true);
      expect(row).to.match(/\]\(\.\.\/test\/[\w/.-]+\) \|$/);
    }
  });

  for (const { name, title } of clients)
    it(`says what pergola connect ${name} prints`, () => {
      const { text, settings } = connectionOf(name, service, computer)!;
      const language = settings.format === "steps" ? "text" : settings.format;
      const said = fences
        .filter((fence) => fence.language === language && fence.marker?.text.includes(title))
        .concat(fences.filter((fence) => fence.section === title))
        .map((fence) => saidBy(fence.text, settings.format));
      expect(said).to.deep.include(saidBy(text, settings.format));
    });
});
