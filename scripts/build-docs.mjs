// Builds the documentation that the service serves at /docs: one HTML file for each Markdown page, one style.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { hashed, writeCompressed } from "./build-page.mjs";
import { renderMarkdown } from "./site/markdown.mjs";
import { pagesOf } from "./site/pages.mjs";
import { sizeOfPng } from "./site/png.mjs";
import { pageHtml } from "./site/template.mjs";

/** The workspace that serves the documentation. */
export const docsWorkspace = "plugins/endpoint-web";

/** What the site is made of, besides that workspace. */
const sources = [
  "README.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "docs",
  "scripts/site",
  "scripts/build-docs.mjs",
];

/** When the newest of what the site is made of was changed, in milliseconds. */
export function docsChanged(root) {
  const timeOf = (file) => statSync(path.join(root, file)).mtimeMs;
  const below = (file) =>
    existsSync(path.join(root, file)) && statSync(path.join(root, file)).isDirectory()
      ? readdirSync(path.join(root, file), { recursive: true }).map((one) => path.join(file, one))
      : [];
  return Math.max(...sources.flatMap((file) => [file, ...below(file)]).map(timeOf));
}

const markdownFiles = (root) =>
  readdirSync(path.join(root, "docs"), { recursive: true })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file.split(path.sep).join("/")}`);

/** The pictures that pages may show, by their file: `{name, address, width, height, bytes}`. */
function picturesOf(root) {
  const folder = "docs/pictures";
  const names = existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)) : [];
  return new Map(
    names.map((file) => {
      const bytes = readFileSync(path.join(root, folder, file));
      const name = hashed(file, bytes);
      return [`${folder}/${file}`, { name, address: `/docs/${name}`, bytes, ...sizeOfPng(bytes) }];
    }),
  );
}

async function makeStyle() {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, "site/style.css")],
    bundle: true,
    minify: true,
    target: ["chrome123", "firefox121", "safari17.5"],
    write: false,
    logLevel: "error",
  });
  return Buffer.from(outputFiles[0].contents);
}

/** The links that lead to a section that their page does not have. */
const brokenAnchors = (pages) =>
  pages.flatMap(({ file, links }) =>
    links
      .filter(({ to, anchor }) => {
        const { headings } = pages.find((page) => page.file === to.file);
        return anchor !== "" && headings.every(({ id }) => id !== anchor);
      })
      .map(({ href }) => `${file}: ${href} names a section that is not there`),
  );

const unknownPage = {
  title: "No such page",
  headings: [],
  headline: "<h1>No such page</h1>",
  html: "<p>The documentation has no page at this address. See the list of all pages.</p>\n",
};

/**
 * Builds the site of the Markdown files below `root` into `target/docs`, each file but pictures compressed.
 * Throws with the list of what is wrong: links that lead nowhere, pages in no group, pictures from elsewhere.
 */
export async function buildDocs(root, target) {
  const listed = pagesOf(markdownFiles(root));
  const pictures = picturesOf(root);
  const isSource = (file) => !file.startsWith("..") && existsSync(path.join(root, file));
  const pages = listed.map((page) => {
    const source = readFileSync(path.join(root, page.file), "utf8");
    const rendered = renderMarkdown(source, { page, pages: listed, pictures, isSource });
    return { ...page, ...rendered, title: page.title ?? rendered.title };
  });
  const broken = [...pages.flatMap((page) => page.broken), ...brokenAnchors(pages)];
  if (broken.length > 0) throw new Error(`The documentation cannot be built:\n${broken.join("\n")}`);
  const folder = path.join(target, "docs");
  const write = (name, content) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeCompressed(folder, name, content);
  };
  const style = await makeStyle();
  const icon = readFileSync(path.join(import.meta.dirname, "..", docsWorkspace, "page/icon.svg"));
  const names = { style: hashed("style.css", style), icon: hashed("icon.svg", icon) };
  write(names.style, style);
  write(names.icon, icon);
  for (const { name, bytes } of pictures.values()) writeFileSync(path.join(folder, name), bytes);
  const files = { style: `/docs/${names.style}`, icon: `/docs/${names.icon}` };
  for (const page of pages) write(`${page.name || "index"}.html`, pageHtml(page, pages, files));
  write("404.html", pageHtml(unknownPage, pages, files));
}
