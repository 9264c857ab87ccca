// Builds the page for browsers: bundled, minified and split, hashes in the names, each file compressed.
import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { createHash } from "node:crypto";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { filesIn, licensesOf } from "./licenses.mjs";

/** The files that must be there before the first picture: what the entry imports, not what it imports later. */
function neededBy(outputs, entry) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const { path: other, kind } of outputs[file].imports) if (kind === "import-statement") visit(other);
  };
  visit(entry);
  return [...found];
}

/** Writes a file as brotli makes it small, in which form alone every installation has it. */
export const writeCompressed = (folder, name, content) =>
  writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(Buffer.from(content)));

/** `style.css` → `style-1a2b3c4d.css`, by its content. */
export const hashed = (name, content) => {
  const { name: base, ext } = path.parse(name);
  return `${base}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}${ext}`;
};

/**
 * Builds `page/` of a workspace, if it has one, into `target/files`. Throws esbuild's failure.
 */
export async function buildPage(root, workspace, target) {
  const source = path.join(root, workspace, "page");
  if (!existsSync(path.join(source, "main.tsx"))) return;
  const folder = path.join(target, "files");
  mkdirSync(folder, { recursive: true });
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: path.join(source, "main.tsx"), out: "main" }],
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["chrome123", "firefox121", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  for (const { path: file, contents } of outputFiles) writeCompressed(folder, path.basename(file), contents);
  const [entry, { cssBundle }] = Object.entries(metafile.outputs).find(([, one]) => one.entryPoint);
  const names = neededBy(metafile.outputs, entry).map((file) => path.basename(file));
  const icon = readFileSync(path.join(source, "icon.svg"));
  const licenses = licensesOf(filesIn(root, metafile));
  const files = { icon: hashed("icon.svg", icon), licenses: hashed("licenses.txt", licenses) };
  writeCompressed(folder, files.icon, icon);
  writeCompressed(folder, files.licenses, licenses);
  const filled = {
    icon: files.icon,
    licenses: files.licenses,
    style: path.basename(cssBundle),
    script: names[0],
    preload: names
      .slice(1)
      .map((name) => `<link rel="modulepreload" href="/web/${name}" />`)
      .join(""),
  };
  const html = readFileSync(path.join(source, "index.html"), "utf8");
  writeCompressed(
    folder,
    "index.html",
    html.replaceAll(/%(\w+)%/g, (whole, key) => filled[key] ?? whole),
  );
}
