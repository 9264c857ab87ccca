import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

interface Report {
  readonly added: readonly string[];
  readonly leftOut: readonly { readonly title: string; readonly reason: string }[];
}

describe("pergola mcp import", function () {
  this.timeout(60_000);
  let project: Project;
  const environment = { TICKETS: "the-key-of-the-tickets" };
  before(async () => {
    project = await openProject();
    project.settings({ "secrets.store": "file" });
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());
  const write = (content: object): string => {
    const file = path.join(project.folder, "mcp.json");
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  const take = (...words: readonly string[]) => project.run(["mcp", "import", ...words], { environment });

  it("shows each server, adds those that were chosen, and none of them twice", async () => {
    const file = write({
      mcpServers: {
        tickets: { command: "node", args: ["a \u202eb.mjs"], env: { TICKETS_KEY: "${TICKETS}" } },
        wiki: { url: "https://wiki.example/mcp" },
        old: { type: "sse", url: "https://old.example" },
        pergola: { command: "/usr/local/bin/pergola", args: ["mcp"] },
      },
    });
    const unasked = await take(file);
    expect([unasked.code, unasked.stderr.includes("--yes")]).to.deep.equal([2, true]);
    const first = await take(file, "--only", "tickets", "--yes");
    expect([first.code, first.stdout]).to.deep.equal([0, "Added tickets.\n"]);
    expect(first.stderr).to.include('starts: "node" "a \\u{202e}b.mjs"').and.include("env: TICKETS_KEY");
    expect(first.stdout + first.stderr).not.to.include("the-key");
    const second = await take(file, "--yes", "--json");
    const report = JSON.parse(second.stdout) as Report;
    expect(report.added).to.deep.equal(["wiki"]);
    expect(report.leftOut.map(({ title, reason }) => `${title}: ${reason}`)).to.deep.equal([
      "old: it speaks the SSE transport of 2024, which Pergola does not",
      "tickets: it is there already; env and headers were not compared",
      "pergola: it is Pergola itself",
    ]);
  });

  it("says what the service refuses, and what is no such file", async () => {
    const refused = await take(write({ servers: { open: { url: "https://me:secret@a.example" } } }), "--yes");
    expect([refused.code, refused.stdout.includes('Left out "open": ')]).to.deep.equal([1, true]);
    const unknown = await take(write({ servers: { a: { command: "x" } } }), "--only", "b");
    expect([unknown.code, unknown.stderr.includes("It has: a.")]).to.deep.equal([2, true]);
    for (const file of ["/dev/zero", write({ a: 1 })]) expect((await take(file, "--yes")).code).to.equal(2);
  });
});
