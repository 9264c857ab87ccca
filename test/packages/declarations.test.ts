import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { kitFolders, root } from "../architecture/tree.ts";
import { manifestOf, packedPackages, unpack } from "../support/packed.ts";

const compilerOptions = {
  target: "ES2023",
  module: "NodeNext",
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: ["node"],
};

const plugin = `
import { defineOperation, definePlugin, defineTool, type OperationResult } from "@pergola/sdk";

const greet = defineOperation({
  name: "greet",
  description: "Greet somebody by name.",
  effect: "none",
  parameters: { name: { type: "string" }, times: { type: "integer", default: 1 } },
  required: ["name"],
  run: async ({ name, times }): Promise<OperationResult> => ({ data: name.repeat(times) }),
});

export default definePlugin({
  tools: [defineTool({ name: "hello", description: "Greets.", operations: [greet] })],
});
`;

const pluginTest = `
import { runOperation, toolContext } from "@pergola/sdk/testing";
import plugin from "./plugin.js";

const [operation] = plugin.tools?.[0]?.operations ?? [];
if (operation !== undefined) await runOperation(operation, { name: "Ada" }, toolContext());
`;

const host = `
import { createHost, type Host } from "pergola";
import { defineHostPlugin } from "@pergola/sdk/host";

const host: Host = await createHost({ quiet: true });
await host.listen({ port: 0 });
const models: readonly { readonly name: string }[] = await host.services.models.list(AbortSignal.timeout(1000));
console.log(host.url, models.length);
await host.stop();
export default defineHostPlugin({ parts: { preferences: ({ table }) => ({ ...table }) as never } });
`;

/** Puts a package into a folder's node_modules as npm would, with the packages that it depends on. */
function install(name: string, folder: string): void {
  unpack(name, path.join(folder, "node_modules", name));
  const { dependencies = {}, peerDependencies = {} } = manifestOf(name);
  const others = Object.keys({ ...dependencies, ...peerDependencies });
  for (const other of others.filter((one) => !packedPackages.has(one))) link(other, folder);
}

function link(name: string, folder: string): void {
  const target = path.join(folder, "node_modules", name);
  mkdirSync(path.dirname(target), { recursive: true });
  if (!existsSync(target)) symlinkSync(path.join(root, "node_modules", name), target);
}

/** What an author gets who writes against the packages as they are published. */
describe("the declarations of the packed packages", function () {
  this.timeout(240_000);
  const kits = kitFolders().map((folder) => `@pergola/kit-${path.basename(folder)}`);
  const folder = temporaryFolder("pergola-author-");
  /** What the compiler says. */
  let said: readonly string[] = [];

  before(() => {
    for (const name of ["@pergola/sdk", "pergola", ...kits]) install(name, folder);
    for (const name of ["@types/node", "@types/chai", "@types/mocha", "undici-types"]) link(name, folder);
    const files: Readonly<Record<string, string>> = {
      "package.json": JSON.stringify({ name: "somebodys-project", type: "module" }),
      "tsconfig.json": JSON.stringify({ compilerOptions }),
      "plugin.ts": plugin,
      "plugin-test.ts": pluginTest,
      "host.ts": host,
      "kits.ts": kits.map((name, index) => `export * as kit${index} from "${name}";\n`).join(""),
      "wrong-plugin.ts": plugin.replace("name.repeat(times)", "name.repeat(name)"),
      "wrong-kits.ts": 'import { openStores } from "@pergola/sdk";\n',
      "wrong-host.ts": host.replace("quiet: true", 'quiet: "yes"'),
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
    // At once: most of the time goes into the declarations themselves.
    const words = [path.join(root, "node_modules/typescript/bin/tsc"), "-p", folder];
    const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
    said = stdout.split("\n").filter(Boolean);
  });

  it("check a plugin, its test, the use of every kit, and a host embedded in a program", () => {
    expect(said.filter((line) => !/^(wrong-|\s)/.test(line))).to.deep.equal([]);
  });

  it("find a wrong argument type, a name that is not exported, and a wrong option of the host", () => {
    const errors = said.join("\n").matchAll(/^([\w-]+)\.ts\(\d+,\d+\): error (TS\d+)/gm);
    expect([...errors].map(([, file, code]) => `${file} ${code}`)).to.deep.equal([
      "wrong-host TS2322",
      "wrong-kits TS2305",
      "wrong-plugin TS2345",
    ]);
  });
});
