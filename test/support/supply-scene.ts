import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { PluginStatus } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openRegistry, type NpmRegistry } from "./npm-registry.ts";
import { openProject, type Program, type Project } from "./pergola.ts";
import { writePlugin, type PluginSource } from "./plugins/write-plugin.ts";

type Ended = Program & { readonly code: number | NodeJS.Signals };

/** How the tool of a test's plugin is. */
export interface DiceOptions {
  readonly version?: string;
  readonly effect?: string;
  readonly parameters?: object;
  readonly permissions?: Exclude<PluginSource["manifest"], undefined>[string];
  /** The body of `dice.roll`. */
  readonly body?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** A project, a registry on loopback, and plugins called tool-dice. */
export interface SupplyScene {
  readonly project: Project;
  readonly registry: NpmRegistry;
  /** A folder for what the tests make. */
  readonly folder: string;
  /** The folder of a plugin with the operation `dice.roll`. */
  dice(options?: DiceOptions): string;
  /** Its tarball. */
  pack(folder: string): string;
  /** Puts it into the registry. */
  publish(options?: DiceOptions): void;
  run(...words: readonly string[]): Promise<Ended>;
  /** Adds one and agrees to exactly what it asks for. */
  add(source: string, ...more: readonly string[]): Promise<Ended>;
  /** The digest of what a command would agree to. */
  digest(...words: readonly string[]): Promise<string>;
  status(id?: string): Promise<PluginStatus | undefined>;
  /** What `dice.roll` answers, or why not. */
  roll(): Promise<string>;
  /** What lies below `<data>/plugins`, without what is always there. */
  kept(): readonly string[];
  /** The folder of the package of tool-dice, as it is kept. */
  installed(version?: string): string;
  close(): Promise<void>;
}

const code = (effect: string, parameters: object, body: string): string => `
import { definePlugin } from "@pergola/sdk";
export default definePlugin({
  tools: [{
    name: "dice", description: "Dice", operations: [{
      name: "roll", description: "Rolls", effect: ${JSON.stringify(effect)}, parameters: ${JSON.stringify(parameters)}, required: [],
      async run(args, context) { ${body} },
    }],
  }],
});`;

/** Opens a scene. Each has a cache of npm of its own. */
export async function openSupplyScene(): Promise<SupplyScene> {
  const project = await openProject();
  const registry = await openRegistry();
  const folder = temporaryFolder("pergola-supply-");
  let made = 0;
  const environment = () => ({
    ...project.environment,
    npm_config_registry: registry.url,
    npm_config_cache: path.join(folder, `cache-${++made}`),
  });
  const run: SupplyScene["run"] = (...words) => project.run(words, { environment: environment(), input: "" });
  const digest: SupplyScene["digest"] = async (...words) => {
    const { stdout, stderr } = await run(...words, "--dry-run", "--json");
    if (!stdout.startsWith("{")) throw new Error(stdout + stderr);
    return (JSON.parse(stdout) as { readonly consent: string }).consent;
  };
  const dice: SupplyScene["dice"] = ({
    version = "1.0.0",
    effect = "none",
    parameters = {},
    permissions = {},
    body = "return { data: 'rolled' };",
    scripts = {},
  } = {}) =>
    writePlugin(path.join(folder, `made-${++made}`), {
      id: "tool-dice",
      provides: { tools: { dice: ["roll"] } },
      manifest: { permissions },
      package: { version, scripts, files: ["index.js", "plugin.json"] },
      code: code(effect, parameters, body),
    });
  const pack: SupplyScene["pack"] = (from) => {
    const to = path.join(folder, `packed-${++made}`);
    mkdirSync(to);
    execFileSync("npm", ["pack", from, "--ignore-scripts"], { cwd: to, stdio: "pipe" });
    return path.join(to, readdirSync(to)[0]!);
  };
  const plugins = path.join(project.data, "plugins");
  return {
    project,
    registry,
    folder,
    dice,
    pack,
    publish: (options) => {
      const from = dice(options);
      const manifest = JSON.parse(readFileSync(path.join(from, "package.json"), "utf8")) as {
        readonly name: string;
        readonly version: string;
      };
      registry.publish(manifest, pack(from));
    },
    run,
    digest,
    add: async (source, ...more) =>
      run(
        "plugins",
        "add",
        source,
        ...more,
        "--yes",
        "--permissions",
        await digest("plugins", "add", source, ...more),
      ),
    status: async (id = "tool-dice") => {
      const { stdout } = await run("plugins", "list", "--json");
      const { plugins: all } = JSON.parse(stdout) as { readonly plugins: readonly PluginStatus[] };
      return all.find((plugin) => plugin.id === id);
    },
    roll: async () => {
      const { stdout, stderr } = await run("tools", "call", "dice.roll", "--yes");
      return stdout + stderr;
    },
    kept: () =>
      existsSync(plugins)
        ? readdirSync(plugins).flatMap((name) => {
            if (name === ".staging")
              return readdirSync(path.join(plugins, name)).map((each) => `.staging/${each}`);
            return ["node_modules", "lock.json", "strikes.json", "described"].includes(name) ? [] : [name];
          })
        : [],
    installed: (version = "") => {
      const versions = path.join(plugins, "tool-dice");
      const name = readdirSync(versions).find((each) => each.startsWith(version))!;
      return path.join(versions, name, "node_modules", "tool-dice");
    },
    close: async () => {
      await project.close();
      await registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
