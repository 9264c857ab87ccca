import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { PluginStatus } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { consentDigest, type Consent } from "../../core/cli/plugin-consent.ts";
import { readManifest } from "../../core/plugins/manifest.ts";
import { pluginDigest } from "../../core/plugins/plugin-digest.ts";
import { openRegistry, type NpmRegistry } from "./npm-registry.ts";
import { freePort, openProject, type Program, type Project } from "./pergola.ts";
import { writePlugin, type PluginSource } from "./plugins/write-plugin.ts";
import { pack as packEntries } from "./repack.ts";

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

/** A service that runs on the project's data. */
export interface DiceService extends Program {
  readonly url: string;
  /** What `dice.roll` answers when the person calls it over HTTP: the body. */
  roll(): Promise<string>;
}

/** A project, a registry on loopback, and plugins called tool-dice. */
export interface SupplyScene {
  readonly project: Project;
  readonly registry: NpmRegistry;
  /** A folder for what the tests make. */
  readonly folder: string;
  /** The folder of a plugin with the operation `dice.roll`. */
  dice(options?: DiceOptions): string;
  /** Its tarball, with the files that npm takes. */
  pack(folder: string): string;
  /** Puts it into the registry. */
  publish(options?: DiceOptions): void;
  run(...words: readonly string[]): Promise<Ended>;
  /** Adds one and agrees to exactly what it asks for. */
  add(source: string, ...more: readonly string[]): Promise<Ended>;
  /** The digest of what a command would agree to. */
  digest(...words: readonly string[]): Promise<string>;
  serve(): Promise<DiceService>;
  status(id?: string): Promise<PluginStatus | undefined>;
  /** What `dice.roll` answers to the command that calls it, or why not. */
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

/** What a package of `dice` holds. */
const packedFiles = ["package.json", "index.js", "plugin.json"];

/** The digest of what `plugins add` asks for a plugin that `dice` has made, in a sandbox. */
async function consentTo(made: string, effect: string): Promise<string> {
  const { id, version, permissions } = readManifest(made);
  const staged = temporaryFolder("pergola-staged-");
  for (const name of packedFiles) cpSync(path.join(made, name), path.join(staged, "node_modules", id, name));
  const files = await pluginDigest(staged);
  const tools = { dice: { roll: [effect] } } as Consent["tools"];
  return consentDigest({ id, version, files, permissions, tools, trusted: false } as Consent);
}

const rollOver = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/debug/mcp/execute`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool: "dice.roll", arguments: {}, isUserInitiated: true }),
  });
  return answer.text();
};

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
  /** Where plugins were made and packed, and what is published: the effect of each, and its folder. */
  const known = new Map<string, { readonly made: string; readonly effect: string }>();
  const dice: SupplyScene["dice"] = ({
    version = "1.0.0",
    effect = "none",
    parameters = {},
    permissions = {},
    body = "return { data: 'rolled' };",
    scripts = {},
  } = {}) => {
    const from = writePlugin(path.join(folder, `made-${++made}`), {
      id: "tool-dice",
      provides: { tools: { dice: ["roll"] } },
      manifest: { permissions },
      package: { version, scripts, files: ["index.js", "plugin.json"] },
      code: code(effect, parameters, body),
    });
    known.set(from, { made: from, effect });
    return from;
  };
  const pack: SupplyScene["pack"] = (from) => {
    const to = path.join(folder, `packed-${++made}.tgz`);
    const entries = packedFiles.map((name) => ({
      path: `package/${name}`,
      type: "File" as const,
      content: readFileSync(path.join(from, name)),
    }));
    packEntries(to, entries);
    known.set(to, known.get(from)!);
    return to;
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
      known.set(manifest.name, known.get(from)!);
    },
    run,
    digest,
    add: async (source, ...more) => {
      const words = ["plugins", "add", source, ...more];
      const plugin = more.length === 0 ? known.get(source) : undefined;
      const permissions = await (plugin === undefined
        ? digest(...words)
        : consentTo(plugin.made, plugin.effect));
      return run(...words, "--yes", "--permissions", permissions);
    },
    serve: async () => {
      const port = await freePort();
      const service = project.begin(["start", "--port", String(port)]);
      await service.wrote("stop with Ctrl-C");
      const url = `http://127.0.0.1:${port}`;
      return Object.assign(service, { url, roll: () => rollOver(url) });
    },
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
