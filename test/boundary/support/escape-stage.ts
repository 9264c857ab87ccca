import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Json } from "@pergola/sdk";
import type { Manifest } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { pluginDigest } from "../../../core/plugins/plugin-digest.ts";
import { changeLock, type LockedVersion } from "../../../core/plugins/plugin-lock.ts";
import { root } from "../../architecture/tree.ts";
import { builtPlugin } from "../../support/plugins/built-plugin.ts";
import { built, freePort, watchProgram, type Program } from "../../support/pergola.ts";

const artist = path.join(root, "test/support/plugins/tool-escape-artist");
const nobody = 65534;

/** As whom the service runs, and whether its account may make namespaces. */
export interface Account {
  readonly user?: "root" | "ordinary";
  readonly namespaces?: boolean;
}

interface StageOptions extends Account {
  readonly settings?: Readonly<Record<string, Json>>;
  /** Changes the escape artist's manifest. */
  readonly manifest?: (manifest: Record<string, Json>) => void;
  /** A shell line that the service is started by; `"$@"` is the service. */
  readonly by?: string;
}

/** What a call by hand came to. */
export interface Outcome {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
}

/** A built service as another account, with the escape artist in it. */
export interface EscapeStage {
  readonly url: string;
  readonly port: number;
  /** The person's home, with a private key. */
  readonly home: string;
  readonly data: string;
  readonly plugin: string;
  readonly program: Program;
  readonly request: (method: string, route: string, body?: object) => Promise<Response>;
  readonly call: (tool: string, args: object) => Promise<Outcome>;
  /** The escape artist's answer to one attempt. */
  readonly attempt: <T>(name: string, args?: object) => Promise<T>;
  /** Its failure instead. */
  readonly failure: (name: string, args?: object) => Promise<string>;
  readonly stop: () => Promise<void>;
}

function own(file: string, account: number): void {
  chownSync(file, account, account);
  for (const entry of readdirSync(file, { withFileTypes: true })) {
    const below = path.join(file, entry.name);
    if (entry.isDirectory()) own(below, account);
    else lchownSync(below, account, account);
  }
}

const asAccount = ({ user = "root", namespaces = true }: Account): readonly string[] => {
  const lowered =
    user === "ordinary" ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  const forbidden = [
    ...["unshare", "--user", "--map-root-user", "sh", "-c"],
    ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"],
  ];
  return [...lowered, ...(namespaces ? [] : forbidden)];
};

/** Starts the service. */
export async function escapeStage(options: StageOptions = {}): Promise<EscapeStage> {
  const { user = "root", settings = {}, manifest, by = 'exec "$@"' } = options;
  await built();
  const home = temporaryFolder("pergola-escape-");
  const plugin = path.join(home, "plugins", "tool-escape-artist");
  cpSync(await builtPlugin(artist), plugin, { recursive: true });
  if (manifest !== undefined) rewrite(path.join(plugin, "plugin.json"), manifest);
  const [data, file, port] = [path.join(home, "data"), path.join(home, "settings.json"), await freePort()];
  mkdirSync(data);
  mkdirSync(path.join(home, ".ssh"));
  writeFileSync(path.join(home, ".ssh/id_ed25519"), "canary key");
  cpSync(
    path.join(root, "node_modules/better-sqlite3/build/Release/better_sqlite3.node"),
    path.join(plugin, "addon.node"),
  );
  const plugins = ["@pergola/bundle-standard", plugin];
  const known = { "auth.loopback": "none", "memory.embedding_model": "", "tools.timeout_seconds": 20 };
  writeFileSync(file, JSON.stringify({ plugins, ...known, ...settings }));
  // Without walls it finds the SDK beside it, as an installed plugin does.
  mkdirSync(path.join(home, "plugins/node_modules/@pergola"), { recursive: true });
  symlinkSync(path.join(root, "sdk"), path.join(home, "plugins/node_modules/@pergola/sdk"));
  await approve(data, plugin);
  chmodSync(home, 0o755);
  if (user === "ordinary") own(home, nobody);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, "config"),
    NO_COLOR: "1",
  };
  const pergola = [process.execPath, path.join(root, "core/dist/main.cjs")];
  const where = ["--settings", file, "--data", data];
  const words = [...pergola, "start", "--port", String(port), ...where];
  const [command = "", ...args] = [...asAccount(options), "bash", "-c", by, "bash", ...words];
  const child = spawn(command, args, { cwd: home, env: environment });
  const program = watchProgram(child);
  await program.wrote("stop with Ctrl-C");
  const url = `http://127.0.0.1:${port}`;
  const request: EscapeStage["request"] = (method, route, body) =>
    fetch(url + route, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  const call: EscapeStage["call"] = async (tool, args) => {
    const answer = await request("POST", "/debug/mcp/execute", {
      tool,
      arguments: args,
      isUserInitiated: true,
    });
    return (await answer.json()) as Outcome;
  };
  const tried = (name: string, args: object = {}): Promise<Outcome> =>
    call("escape_artist.attempt", { name, with: args });
  return {
    url,
    port,
    home,
    data,
    plugin,
    program,
    request,
    call,
    attempt: async <T>(name: string, args?: object) => {
      const { success, result } = await tried(name, args);
      if (!success) throw new Error(`The attempt ${name} could not be made: ${result}`);
      return (JSON.parse(result) as { readonly outcome: T }).outcome;
    },
    failure: async (name, args) => {
      const { success, result } = await tried(name, args);
      if (success) throw new Error(`The attempt ${name} did not fail: ${result}`);
      return result;
    },
    stop: async () => void (await program.end()),
  };
}

/** Writes down that a person has agreed to the escape artist as it is. */
async function approve(data: string, plugin: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(path.join(plugin, "plugin.json"), "utf8")) as Manifest;
  const current: LockedVersion = {
    package: "tool-escape-artist",
    version: "0.1.0",
    integrity: null,
    files: await pluginDigest(plugin),
    permissions: manifest.permissions ?? {},
    tools: null,
    grantedAt: new Date().toISOString(),
  };
  changeLock(data, () => ({ "tool-escape-artist": { current } }));
}

function rewrite(file: string, change: (manifest: Record<string, Json>) => void): void {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, Json>;
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}
