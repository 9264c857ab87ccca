// Puts the code of the core and of Pergola's plugins into one file, core/dist/all.cjs. Packages that the code
// imports at the top of a file are in it, and parts of packages that it requires by their path; whole packages
// that it imports or requires when they are needed stay outside.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { filesIn } from "./licenses.mjs";
import { followable, partsOfPackages } from "./node-bundle.mjs";

export const oneFile = "core/dist/all.cjs";

/** It is imported at the top, and has a binary beside it. */
const native = "better-sqlite3";

/** Imported when it is needed in one place, and at the top in another. */
const atOnceElsewhere = "ipaddr.js";

/** Node's for a CommonJS module, and one thing more: what imports. */
const parameters = "exports, require, module, __filename, __dirname, $import";

/** How a file is imported: by a function that is given to the one file when it is run. */
const ownImport = `
import { pathToFileURL } from "node:url";
export const importFile = (file) => $import(pathToFileURL(file).href);
`;

const packageOf = (specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)[0];

/**
 * The file's text, what packages import when it is needed, by their folders, and the files whose code is in
 * it. `root`: of the tree. `plugins`: the folders of those whose code is to be in the file.
 */
export async function joinCode(root, plugins) {
  const read = (...steps) => readFileSync(path.join(root, ...steps), "utf8");
  /** The package whose code a file is. */
  const ownerOf = (file) => {
    let folder = path.dirname(path.relative(root, file));
    while (!existsSync(path.join(root, folder, "package.json"))) folder = path.dirname(folder);
    return { folder, ...JSON.parse(read(folder, "package.json")) };
  };
  const importer = path.join(root, "sdk/host/import-file.ts");
  const places = path.join(root, "core/one-file/places.ts");
  const owners = new Map();
  const entry = plugins.map((folder) => {
    const { name, version } = JSON.parse(read(folder, "package.json"));
    return `${JSON.stringify(`${name}@${version}`)}: () => require(${JSON.stringify(name)}),`;
  });
  const plugin = {
    name: "one-file",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path: specifier, kind, importer: from }) => {
        if (specifier.startsWith("node:") || !from.startsWith(root)) return undefined;
        if (/node_modules/.test(path.relative(root, from))) return undefined;
        const name = packageOf(specifier);
        const owner = ownerOf(from);
        const isNeededAtOnce = (kind !== "dynamic-import" && name !== native) || name === atOnceElsewhere;
        if (isNeededAtOnce || name.startsWith("@pergola/")) return undefined;
        if (kind === "dynamic-import")
          owners.set(owner.folder, (owners.get(owner.folder) ?? new Set()).add(specifier));
        return { path: `outside:${owner.name}:${specifier}`, external: true };
      });
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const text = readFileSync(file, "utf8");
        if (file === importer) return { contents: ownImport, loader: "ts" };
        if (file === places || !text.includes("import.meta")) return undefined;
        const own = JSON.stringify(ownerOf(file).name);
        const first = `import { metaOf as $metaOf } from ${JSON.stringify(places)};const $meta = $metaOf(${own});`;
        return { contents: first + followable(text), loader: "ts" };
      });
    },
  };
  const { outputFiles, metafile } = await build({
    metafile: true,
    stdin: {
      contents: [
        `import { addBundled, importOutside, outside } from "./core/one-file/places.ts";`,
        `Object.assign($packages, { require: outside, import: importOutside });`,
        `addBundled(__dirname, { ${entry.join("\n")} });`,
        `require("./core/command.ts");`,
      ].join("\n"),
      resolveDir: root,
      loader: "ts",
    },
    absWorkingDir: root,
    conditions: ["source"],
    // Of a package that comes in several forms the one that can be put into a file.
    mainFields: ["module", "main"],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    // The text stays in memory as long as the service runs.
    minifyWhitespace: true,
    lineLimit: 200,
    banner: { js: "const $packages = {};" },
    define: { "import.meta": "$meta" },
    legalComments: "inline",
    plugins: [partsOfPackages(root), plugin],
    logLevel: "error",
  });
  const text = outputFiles[0].text
    .replaceAll(/\bimport\("outside:([^:"]+):([^"]+)"\)/g, '$$packages.import("$1", "$2")')
    .replaceAll(/\brequire\("outside:([^:"]+):([^"]+)"\)/g, '$$packages.require("$1")("$2")')
    .replaceAll(/\bimport\("(node:[^"]+)"\)/g, 'Promise.resolve(require("$1"))');
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const left = imports.find(
    ({ kind, path: name }) => kind === "dynamic-import" && !/^(node:|outside:|typescript$)/.test(name),
  );
  if (left !== undefined) throw new Error(`${oneFile} cannot import ${left.path} by itself.`);
  // V8 keeps a text of one byte a character in half the memory.
  const ascii = text.replaceAll(
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return {
    text: `(function (${parameters}) {${ascii}\n})`,
    imported: owners,
    files: filesIn(root, metafile),
  };
}

/** Writes the file into the folder of the core's build, and gives its path. The first line has the digest of the rest. */
export function writeOneFile(folder, text) {
  const file = path.join(folder, path.basename(oneFile));
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  writeFileSync(file, `// ${digest}\n${text}`);
  return file;
}
