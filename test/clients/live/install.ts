import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

/** A folder into which packages were installed. */
export interface Installed {
  readonly folder: string;
  /** `name@version` of each package that was asked for. */
  readonly versions: readonly string[];
}

const minutes = 60_000;

/** Without what npm tells the scripts that it runs, this one perhaps among them. */
const plain = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

const nameOf = (spec: string): string => spec.replace(/(?<=.)@[^@/]*$/, "");

function versionOf(folder: string, name: string): string {
  const file = path.join(folder, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

async function npm(words: readonly string[], folder: string, bin?: string): Promise<string> {
  const env = plain();
  if (bin !== undefined) env["PATH"] = `${bin}${path.delimiter}${env["PATH"]}`;
  const options = { cwd: folder, env, timeout: 10 * minutes, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)("npm", words, options)).stdout;
}

/** The published versions before the newest, that first: for a registry that lacks what the newest needs. */
async function olderVersions(name: string, folder: string): Promise<readonly string[]> {
  const versions: unknown = JSON.parse(await npm(["view", name, "versions", "--json"], folder));
  return Array.isArray(versions) ? (versions as readonly string[]).slice(-9, -1).toReversed() : [];
}

/** `name` stands for its newest version; a client that cannot be had in it is tried in those before. */
async function installNewest(folder: string, packages: readonly string[], bin?: string): Promise<void> {
  const specs = packages.map((spec) => (spec === nameOf(spec) ? `${spec}@latest` : spec));
  const add = (chosen: readonly string[]) =>
    npm(["install", "--no-audit", "--no-fund", ...chosen], folder, bin);
  const [client = "", ...others] = specs;
  try {
    await add(specs);
  } catch (error) {
    if (!String(error).includes("ETARGET")) throw error;
    for (const version of await olderVersions(nameOf(client), folder)) {
      const added = await add([`${nameOf(client)}@${version}`, ...others]).catch(() => undefined);
      if (added !== undefined) return;
    }
    throw error;
  }
}

/**
 * Installs the newest published version of each package, or that of the tag behind its `@`, into an empty
 * folder. A folder that holds them already, from a run before, stays as it is. `bin`: the folder of the Node
 * that is to run them.
 */
export async function install(folder: string, packages: readonly string[], bin?: string): Promise<Installed> {
  const names = packages.map(nameOf);
  const whole = path.join(folder, ".installed");
  if (!existsSync(whole)) {
    mkdirSync(folder, { recursive: true });
    const allowScripts = Object.fromEntries(names.map((name) => [name, true]));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, allowScripts }));
    if (packages.length > 0) await installNewest(folder, packages, bin);
    writeFileSync(whole, "");
  }
  return { folder, versions: names.map((name) => `${name}@${versionOf(folder, name)}`) };
}

/** The folder of a Node 22, which most of the clients need by now. */
export async function installNode(folder: string): Promise<string> {
  const own = Number(process.versions.node.split(".")[0]);
  if (own >= 22) return path.dirname(process.execPath);
  await install(folder, ["node@22"]);
  return path.join(folder, "node_modules", "node", "bin");
}
