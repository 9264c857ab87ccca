// How a workspace is bundled for Node.
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * Packages that a workspace names as needed by its build alone come into its files, so that nobody has to
 * install all that they bring; the others stay outside.
 */
function packagesOf(root, workspace) {
  const { devDependencies = {} } = JSON.parse(
    readFileSync(path.join(root, workspace, "package.json"), "utf8"),
  );
  const setup = ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer }) => {
      const isOwn = importer !== "" && !/[/\\]node_modules[/\\]/.test(importer);
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier);
      const isInside = devDependencies[name] !== undefined && !/^(@pergola\/|pergola$)/.test(name);
      return isOwn && !isInside ? { path: specifier, external: true } : undefined;
    });
  return { name: "packages", setup };
}

/** The options of esbuild that all files of a workspace are bundled with. */
export const nodeBundle = (root, workspace) => ({
  absWorkingDir: path.join(root, workspace),
  bundle: true,
  splitting: true,
  plugins: [packagesOf(root, workspace)],
  metafile: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});
