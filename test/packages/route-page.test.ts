import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { startTestHost, temporaryFolder } from "@pergola/sdk/testing";
import { read, root } from "../architecture/tree.ts";

const page = read("docs/add-a-route.md");
const files = [...page.matchAll(/`([\w./-]+)`:\n\n```(?:json|ts)\n([^]*?)```/g)].map(
  ([, file = "", text = ""]) => ({ file, text }),
);
const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);
const compile = [
  ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions"],
  ["--target", "es2023", "--module", "preserve", "--customConditions", "source"],
  ["--types", "node,mocha", "routes.ts", "wrong.ts", "index.ts", "test/routes.test.ts"],
].flat();

/**
 * What docs/add-a-route.md tells its reader to write, written into an empty folder. The packages that the
 * page installs are those of this tree.
 */
describe("the page on routes", function () {
  this.timeout(120_000);
  const folder = temporaryFolder("pergola-endpoint-");
  const run = async (command: string): Promise<string> => {
    const bin = path.join(folder, "node_modules", ".bin");
    const env = {
      ...process.env,
      NODE_OPTIONS: "--conditions=source",
      PATH: `${bin}:${process.env["PATH"]}`,
    };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: folder, env });
    return stdout;
  };
  const typeFaults = (): Promise<string> =>
    run(`tsc ${compile.join(" ")}`).catch((error: unknown) => (error as { readonly stdout: string }).stdout);

  before(() => {
    mkdirSync(path.join(folder, "test"));
    for (const { file, text } of files) writeFileSync(path.join(folder, file), text);
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  });

  it("names each file, and the commands for them", () => {
    expect(files.map(({ file }) => file)).to.deep.equal([
      "package.json",
      "plugin.json",
      "routes.ts",
      "index.ts",
      "pergola.config.json",
      "test/routes.test.ts",
    ]);
    expect(commands).to.include.members(["npm run build", "npx pergola plugins check .", "npm test"]);
  });

  it("shows code whose types are right, and mistakes in it are found", async () => {
    const text = readFileSync(path.join(folder, "routes.ts"), "utf8");
    const mistakes = [
      ["body.minimumLength", "body.minimumlength"],
      ["params.conversationId", "params.id"],
      ["=== role)", '=== role && role === "system")'],
      ['needs: "topics", ', ""],
    ] as const;
    for (const [right] of mistakes) expect(text).to.contain(right);
    const wrong = mistakes.reduce((now, [right, mistake]) => now.replace(right, mistake), text);
    writeFileSync(path.join(folder, "wrong.ts"), wrong);
    const faults = (await typeFaults()).match(/^[\w./-]+\.ts(?=\(\d+)/gm) ?? [];
    expect(faults).to.deep.equal(mistakes.map(() => "wrong.ts"));
  });

  it("shows tests that pass", async () => {
    const said = await run("npm test");
    expect(said).to.match(/4 passing/);
    expect(said).not.to.contain("failing");
  });

  it("shows settings with which the host serves the routes", async () => {
    await run("npm run build");
    const { plugins } = JSON.parse(readFileSync(path.join(folder, "pergola.config.json"), "utf8")) as {
      readonly plugins: readonly [string, { readonly use: string; readonly isolation: string }];
    };
    const [bundle, own] = plugins;
    const host = await startTestHost({ plugins: [bundle, { ...own, use: path.resolve(folder, own.use) }] });
    const found = host.services.system.plugins().find(({ id }) => id === "pergola-endpoint-words");
    expect(found).to.include({ state: "running", fault: null });
    const { body: made } = await host.json<{ id: string }>("POST", "/v1/conversations", {});
    const { status } = await host.json("GET", `/api/words/${made.id}?role=assistant`);
    expect(status).to.equal(404);
    const { body } = await host.json<{ paths: object }>("GET", "/openapi.json");
    expect(body.paths).to.include.keys("/api/words", "/api/words/{conversationId}");
    await host.stop();
  });
});
