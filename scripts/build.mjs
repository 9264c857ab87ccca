// Builds every workspace into its own dist/: one bundle for each entry, packages left outside, shared parts
// split out, and the declarations of those packages that export types.
//   node scripts/build.mjs                everything
//   node scripts/build.mjs --if-needed what is older than its sources; no declarations (they cost a second,
//   and only authors read them)
//   node scripts/build.mjs --to-pack      what is older than its sources, declarations included
// Of several at once, one builds and the others wait for it.
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { buildDocs, docsChanged, docsWorkspace } from "./build-docs.mjs";
import { joinCode, oneFile, writeOneFile } from "./build-one-file.mjs";
import { buildPage } from "./build-page.mjs";
import { nodeBundle, outside } from "./node-bundle.mjs";
import { filesIn, licensesOf } from "./licenses.mjs";
import { isAlive, oneBuild } from "./one-build.mjs";

const root = path.dirname(import.meta.dirname);
const mode = process.argv[2] ?? "";
if (!["", "--if-needed", "--to-pack"].includes(mode)) throw new Error(`There is no option ${mode}.`);

const workspaces = ["sdk", ...folders("sdk/kits"), "core", ...["plugins", "examples"].flatMap(folders)];

function folders(group) {
  return readdirSync(path.join(root, group), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, group, entry.name, "package.json")))
    .map((entry) => path.join(group, entry.name));
}

await oneBuild(path.join(root, "node_modules/.cache/pergola"), (pid) =>
  process.stderr.write(`Waiting for the build of process ${pid}.\n`),
);

/** What was changed after this is not in what is built. */
const begun = new Date();

const manifestOf = (workspace) =>
  JSON.parse(readFileSync(path.join(root, workspace, "package.json"), "utf8"));

/** `./dist/x.js`, `./dist/x.cjs` and `./dist/x.d.ts` are made from `x.ts`. */
const sourceOf = (built) =>
  path.normalize(built.replace(/^\.\/dist\//, "./").replace(/(\.d\.ts|\.c?js)$/, ".ts"));

/** The sources of what is built as CommonJS, for Node starts it sooner. */
const commonJsIn = ({ bin = {} }) =>
  Object.values(bin)
    .filter((built) => built.endsWith(".cjs"))
    .map(sourceOf);

/**
 * The sources of what `exports` and `bin` name, and the files that run in a thread or a process of their own.
 */
function entriesOf(workspace) {
  const { exports = {}, bin = {} } = manifestOf(workspace);
  const named = [...Object.values(exports), ...Object.values(bin)].map((target) => target.default ?? target);
  const separate = readdirSync(path.join(root, workspace), { recursive: true }).filter(
    (file) => /\.(worker|process)\.ts$/.test(file) && !/(^|\/)(dist|node_modules|test|kits)\//.test(file),
  );
  const entries = new Set([
    ...named.filter((target) => target.startsWith("./dist/")).map(sourceOf),
    ...separate,
  ]);
  return [...entries].filter((file) => existsSync(path.join(root, workspace, file)));
}

/** When the newest source was changed, in milliseconds. */
function newest(folder) {
  const times = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !/^(dist|node_modules|test|kits|\..*)$/.test(name))
    .map((entry) => {
      const full = path.join(folder, entry.name);
      return entry.isDirectory() ? newest(full) : statSync(full).mtimeMs;
    });
  return Math.max(0, ...times);
}

const builders = readdirSync(import.meta.dirname)
  .filter((name) => /^(build.*|node-bundle|licenses)\.mjs$/.test(name))
  .map((name) => path.join(import.meta.dirname, name));

/** When a workspace was changed, or what is built into it, in milliseconds. */
const changed = (workspace) =>
  Math.max(
    newest(path.join(root, workspace)),
    ...builders.map((file) => statSync(file).mtimeMs),
    workspace === docsWorkspace ? docsChanged(root) : 0,
  );
const isFresh = (built, workspace) => existsSync(built) && statSync(built).mtimeMs >= changed(workspace);

/** What builds left that were ended before their end. */
function removeLeftovers(workspace) {
  for (const name of readdirSync(path.join(root, workspace))) {
    const pid = Number(/^\.dist-(\d+)(-old)?$/.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) rmSync(path.join(root, workspace, name), { recursive: true, force: true });
  }
}

const threadFile = /\.worker\.ts$/;

/** What runs in a thread or a process of its own lies beside the entry, where this is told by name. */
const builtName = (file) =>
  (/\.(worker|process)\.ts$/.test(file) ? path.basename(file) : file).replace(/\.ts$/, "");

/**
 * The folder is made beside the old one and takes its place at once: a start in the meantime finds one of the
 * two, whole. `joined`: what was made of all code.
 */
async function buildWorkspace(workspace, joined) {
  const imported = [...(joined?.imported.get(workspace) ?? [])];
  const entries = entriesOf(workspace);
  const dist = path.join(root, workspace, "dist");
  const hasAll = workspace === "core" && joined !== undefined;
  if (entries.length === 0 || (mode !== "" && isFresh(dist, workspace) && !hasAll)) return;
  removeLeftovers(workspace);
  const fresh = path.join(root, workspace, `.dist-${process.pid}`);
  const bundle = (files, options) =>
    build({
      entryPoints: files.map((file) => ({ in: file, out: builtName(file) })),
      outdir: fresh,
      ...nodeBundle(root, workspace, options),
    });
  const threads = entries.filter((file) => threadFile.test(file));
  const commonJs = commonJsIn(manifestOf(workspace));
  const others = entries.filter((file) => !threads.includes(file) && !commonJs.includes(file));
  const built = await Promise.all([
    bundle([...others, ...(imported.length > 0 ? [outside] : [])], { imported }),
    bundle(threads, { isThread: true }),
    bundle(commonJs, { isCommonJs: true }),
  ]).catch(failedBuild);
  if (built === undefined) return;
  const files = built.flatMap(({ metafile }) => filesIn(path.join(root, workspace), metafile));
  const licenses = licensesOf([...files, ...(hasAll ? joined.files : [])]);
  if (licenses !== "") writeFileSync(path.join(fresh, "licenses.txt"), licenses);
  await buildPage(root, workspace, fresh);
  if (workspace === docsWorkspace) await buildDocs(root, fresh);
  if (hasAll) utimesSync(writeOneFile(fresh, joined.text), begun, begun);
  utimesSync(fresh, begun, begun);
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

/** The workspaces that a workspace depends on. */
function dependenciesOf(workspace) {
  const { dependencies = {}, peerDependencies = {} } = manifestOf(workspace);
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  return workspaces.filter((other) => other !== workspace && names.includes(manifestOf(other).name));
}

/** The declarations that some of them import, themselves included. */
function reachable(files, texts) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !texts.has(file)) return;
    reached.add(file);
    for (const [, target] of texts.get(file).matchAll(/(?:from|import) ?\(?"(\.[^"]+)\.ts"/g))
      visit(path.join(path.dirname(file), `${target}.d.ts`));
  };
  files.forEach(visit);
  return reached;
}

const declared = new Set();

/**
 * Writes the declarations of the types that a package exports, and of all that they are made of. The types of
 * other workspaces are read from their declarations, which are written first.
 */
async function declare(workspace) {
  if (declared.has(workspace)) return;
  declared.add(workspace);
  for (const other of dependenciesOf(workspace)) await declare(other);
  const types = Object.values(manifestOf(workspace).exports ?? {}).flatMap(({ types = [] }) => types);
  const built = types.map((file) => path.join(root, workspace, file));
  if (built.every((file) => isFresh(file, workspace))) return;
  const { default: ts } = await import("typescript");
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const [rootDir, outDir] = [path.join(root, workspace), path.join(root, workspace, "dist")];
  const files = types.map((file) => path.join(rootDir, sourceOf(file)));
  const emits = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    customConditions: [],
  };
  const texts = new Map();
  const { diagnostics } = ts
    .createProgram(files, { ...options, ...emits, rootDir, outDir })
    .emit(undefined, (file, text) => texts.set(path.normalize(file), text));
  if (diagnostics.length > 0)
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
  for (const file of reachable(built, texts)) ts.sys.writeFile(file, texts.get(file));
}

/** Puts the vectors of the tools' examples beside the built-in guide, so that no package has to make them. */
async function addGuideVectors() {
  const target = path.join(root, "plugins/provider-embedded/dist/guide-vectors.bin");
  const tools = workspaces.filter((workspace) => path.basename(workspace).startsWith("tool-"));
  if (["plugins/provider-embedded", ...tools].every((workspace) => isFresh(target, workspace))) return;
  const script = path.join(root, "scripts/guide-vectors.ts");
  await promisify(execFile)(process.execPath, ["--conditions=source", "--import", "tsx", script], {
    cwd: root,
  });
  copyFileSync(path.join(root, "node_modules/.cache/pergola/guide-vectors.bin"), target);
}

/** Works out once what each start would otherwise: checks of schemas, descriptions of tools. */
async function prepareStart() {
  const target = path.join(root, "core/dist/checks");
  const used = workspaces.filter((workspace) => !workspace.startsWith("examples"));
  if (used.every((workspace) => isFresh(target, workspace))) return;
  await runBundled("prepare-start", root);
}

/** Runs `scripts/<name>.ts` as a build of its own: in a run from sources reading them all takes seconds. */
async function runBundled(name, ...args) {
  const script = path.join(root, "node_modules/.cache/pergola", `${name}-${process.pid}.mjs`);
  const from = path.join(root, "scripts", `${name}.ts`);
  const common = { bundle: true, packages: "external", format: "esm", platform: "node" };
  await build({ ...common, entryPoints: [from], outfile: script });
  try {
    await promisify(execFile)(process.execPath, [script, ...args]);
  } finally {
    rmSync(script);
  }
}

/** All code that a start runs, as one file; undefined where that is there already. */
async function joinedCode() {
  const used = workspaces.filter((workspace) => !workspace.startsWith("examples"));
  if (mode !== "" && used.every((workspace) => isFresh(path.join(root, oneFile), workspace)))
    return undefined;
  const included = ["bundle-host", "bundle-standard"].flatMap(
    (bundle) => JSON.parse(readFileSync(path.join(root, "plugins", bundle, "plugin.json"), "utf8")).includes,
  );
  return joinCode(
    root,
    workspaces.filter((workspace) => included.includes(manifestOf(workspace).name)),
  );
}

/** Keeps the compiled form of that file. */
async function keepCompiled() {
  try {
    await runBundled("keep-compiled", path.join(root, "core/dist/main.cjs"));
  } catch ({ message }) {
    process.stderr.write(`Each start will compile its code anew, for this did not work:\n${message}\n`);
  }
}

/** What esbuild finds wrong, it has printed. */
function failedBuild(failure) {
  if (failure.errors === undefined) throw failure;
  process.exitCode = 1;
}

const joined = await joinedCode().catch(failedBuild);
if (process.exitCode === undefined) await Promise.all(workspaces.map((one) => buildWorkspace(one, joined)));
if (process.exitCode === undefined) await prepareStart();
if (process.exitCode === undefined && joined !== undefined) await keepCompiled();
if (mode !== "--if-needed" && process.exitCode === undefined) await addGuideVectors();
if (mode !== "--if-needed" && process.exitCode === undefined)
  for (const workspace of workspaces) await declare(workspace);
