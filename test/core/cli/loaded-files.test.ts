import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { pluginFolders } from "../../architecture/tree.ts";

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/**
 * The files and the parts of Node that programs loaded, which were told to leave their lists in a folder.
 * Each source that the build has put into the one file is a function there, called by its name.
 */
function loadedFiles(folder: string): readonly string[] {
  const lists = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
  const loaded = lists.flatMap((list) => (JSON.parse(list) as Coverage).result);
  const joined = loaded.filter(({ url }) => url.endsWith("/core/dist/all.cjs"));
  const run = joined
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
    .map(({ functionName }) => functionName);
  return [...new Set([...loaded.map(({ url }) => url), ...run.map((name) => `/${name}`)])];
}

/** The plugins whose code is among them. */
const pluginsAmong = (files: readonly string[]): readonly string[] =>
  pluginFolders().filter((id) => files.some((file) => file.includes(`/plugins/${id}/index.ts`)));

const packagesAmong = (files: readonly string[], names: readonly string[]): readonly string[] =>
  names.filter((name) => files.some((file) => `${file}/`.includes(`/node_modules/${name}/`)));

/** Ready checks take some of its functions, which have files of their own. */
const ajv = "ajv/dist/core.js";

describe("what is loaded", () => {
  let project: Project;
  let port: number;

  before(async () => {
    project = await openProject();
    port = await freePort();
  });
  after(() => project.close());

  /** Runs the commands beside a service, one after the other; gives the files that `of` loaded. */
  async function loadedBy(of: "service" | "commands", ...commands: readonly (readonly string[])[]) {
    const folder = temporaryFolder();
    const environmentOf = (one: typeof of): Readonly<Record<string, string>> =>
      one === of ? { NODE_V8_COVERAGE: folder } : {};
    const service = project.begin(["start", "--port", String(port)], {
      environment: environmentOf("service"),
    });
    await service.wrote("serves on");
    for (const words of commands) {
      const { code, stderr } = await project.run(words, { environment: environmentOf("commands") });
      expect(code, stderr).to.equal(0);
    }
    expect(await service.end()).to.equal(0);
    return loadedFiles(folder);
  }

  it("by a command that asks a running service is no plugin, no router, no `fetch` and no checker of schemas", async () => {
    const files = await loadedBy("commands", ["runs", "list"], ["tools", "list"], ["settings", "list"]);
    expect(files.some((file) => file.endsWith("/core/dist/main.cjs"))).to.equal(true);
    expect(pluginsAmong(files)).to.deep.equal([]);
    expect(files.filter((file) => file.includes("undici"))).to.deep.equal([]);
    expect(packagesAmong(files, ["express", ajv, "tapable", "semver", "cosmiconfig"])).to.deep.equal([]);
  });

  it("by a start is no checker of schemas, and no code of what waits for its first call", async () => {
    const files = await loadedBy("service");
    const tools = ["tool-calendar-operations", "tool-file-operations", "tool-web-operations"];
    const waiting = [...tools, "endpoint-chat", "endpoint-responses", "provider-gemini"];
    const plugins = pluginsAmong(files);
    expect(plugins).to.include("service-runs");
    expect(plugins.filter((id) => waiting.includes(id))).to.deep.equal([]);
    expect(packagesAmong(files, [ajv, "semver", "cosmiconfig"])).to.deep.equal([]);
  });

  it("by a first turn is no embedder, and of the HTTP client only what sends requests", async () => {
    const files = await loadedBy("service", ["run", "Say hello."]);
    const [http, embedder] = ["/undici/lib/dispatcher/pool.js", "embedder.worker.js"];
    expect(files.some((file) => file.endsWith(http))).to.equal(true);
    expect(packagesAmong(files, ["undici/index.js", "@lat.md"])).to.deep.equal([]);
    expect(files.filter((file) => file.endsWith(embedder))).to.deep.equal([]);
  });

  it("by a call is the code of its own tool alone", async () => {
    const words = ["tools", "call", "file_operations.list_dir", "path=.", "--yes"];
    const plugins = pluginsAmong(await loadedBy("service", words));
    expect(plugins).to.include("tool-file-operations");
    expect(plugins).not.to.include("tool-web-operations");
  });
});
