// How a workspace is bundled for Node.
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** A part of a package, named by its path, that is required when it is needed. */
const requiredPart = /\bload\(\s*("(?:@[^/"]+\/)?[^/"]+\/[^"]+"),?\s*\)/g;

/** The same in the form that esbuild follows. */
export const followable = (text) => text.replaceAll(requiredPart, "require($1)");

/** The manifest of the package that a file belongs to. */
function manifestOf(file) {
  let folder = path.dirname(file);
  while (!existsSync(path.join(folder, "package.json"))) folder = path.dirname(folder);
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}

const isPergola = (name) => /^(@pergola\/|pergola$)/.test(name);

/** Those of which a thread has within it what it uses. Others look for files that lie beside their own. */
const isInThreads = (name) => /^@pergola\/(sdk|kit-storage|kit-worker)$/.test(name);

/**
 * Packages that a workspace names as needed by its build alone come into its files, so that nobody has to
 * install all that they bring; the others stay outside. `isThread`: of some of Pergola's own packages what is
 * used comes in, too, since the start of a thread would wait for all of them.
 */
function packagesOf(root, workspace, isThread) {
  const own = manifestOf(path.join(root, workspace, "package.json"));
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer, namespace }) => {
      const isOwn = importer !== "" && namespace !== "router" && !/[/\\]node_modules[/\\]/.test(importer);
      if (!isOwn) return undefined;
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier);
      const { devDependencies = {} } = isThread ? manifestOf(importer) : own;
      const isInside = isPergola(name) ? isThread && isInThreads(name) : devDependencies[name] !== undefined;
      if (isInside) return undefined;
      if (isThread && !isBuiltin(specifier) && !isPergola(name) && own.dependencies?.[name] === undefined)
        throw new Error(`${workspace} must depend on ${name}, which ${importer} needs in a thread of it.`);
      return { path: specifier, external: true };
    });
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, "utf8");
      const contents = followable(text);
      return contents === text ? undefined : { contents, loader: "ts" };
    });
  };
  return { name: "packages", setup };
}

/** A package's WebAssembly, within its code and not compressed. */
const assembly = /Buffer\.from\('([\w+/=]+)', 'base64'\)/;

/** The same code with the WebAssembly made small, at a level that takes half a second. */
const withSmallAssembly = (text) =>
  text.replace(assembly, (_, bytes) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
    const small = brotliCompressSync(Buffer.from(bytes, "base64"), { params }).toString("base64");
    return `require("node:zlib").brotliDecompressSync(Buffer.from("${small}", "base64"))`;
  });

/**
 * What is taken of packages. Of Express only its router is used; all the rest would be run at each start. The
 * compiler of TypeScript is nowhere within: packages look for that of whoever uses them.
 */
export const partsOfPackages = (root) => ({
  name: "parts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^typescript$/ }, ({ path: name }) => ({ path: name, external: true }));
    onResolve({ filter: /^express$/ }, () => ({ path: "express", namespace: "router" }));
    onLoad({ filter: /./, namespace: "router" }, () => ({
      contents: `export { default as Router } from "router";`,
      resolveDir: path.join(root, "node_modules", "express"),
    }));
    onLoad({ filter: /@swc[/\\]wasm-typescript[/\\]wasm\.js$/ }, ({ path: file }) => ({
      contents: withSmallAssembly(readFileSync(file, "utf8")),
    }));
  },
});

/** The entry with what a workspace imports when it is needed: the file with all code imports it from there. */
export const outside = "outside";

const importsOf = (folder, specifiers) => ({
  name: outside,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^outside$/ }, () => ({ path: outside, namespace: outside }));
    onLoad({ filter: /./, namespace: outside }, () => {
      const loads = specifiers.map(
        (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(name)})`,
      );
      return { contents: `export default { ${loads.join(", ")} };`, resolveDir: folder };
    });
  },
});

const moduleForm = {
  format: "esm",
  splitting: true,
  // What a package within requires of Node.
  banner: {
    js: 'import { createRequire as $createRequire } from "node:module";\nconst require = $createRequire(import.meta.url);',
  },
};
const commonJsForm = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.dirname": "__dirname" },
};

/**
 * The options of esbuild that all files of a workspace are bundled with. `imported`: what it imports when it
 * is needed. `isThread`: for files that run in a thread, which load nothing that they do not use.
 */
export const nodeBundle = (
  root,
  workspace,
  { imported = [], isThread = false, isCommonJs = false } = {},
) => ({
  absWorkingDir: path.join(root, workspace),
  bundle: true,
  ...(isCommonJs ? commonJsForm : moduleForm),
  ...(isThread && { conditions: ["source"] }),
  // Of a package that comes in several forms the one that can be put into a file.
  mainFields: ["module", "main"],
  plugins: [
    importsOf(path.join(root, workspace), imported),
    packagesOf(root, workspace, isThread),
    partsOfPackages(root),
  ],
  metafile: true,
  platform: "node",
  target: "node20",
  // Nobody reads the files, and every installation has them.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  logLevel: "error",
});
