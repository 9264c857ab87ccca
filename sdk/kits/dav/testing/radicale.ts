import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@pergola/sdk/testing";

export interface Radicale {
  readonly url: string;
  /** `host:port`, for the list of private hosts. */
  readonly host: string;
  stop(): Promise<void>;
}

/** Whether the program is installed (Debian: `radicale`). */
export const hasRadicale = (): boolean => spawnSync("radicale", ["--version"]).status === 0;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/**
 * Starts a DAV server on loopback. The user "ada" has the password "secret" and the given collections: their
 * properties by name.
 */
export async function startRadicale(collections: Readonly<Record<string, object>>): Promise<Radicale> {
  const folder = temporaryFolder("pergola-radicale-");
  for (const [name, properties] of Object.entries(collections)) {
    const place = path.join(folder, "collection-root", "ada", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, ".Radicale.props"), JSON.stringify(properties));
  }
  writeFileSync(path.join(folder, "users"), "ada:secret\n");
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const config = [
    `[server]\nhosts = ${host}`,
    `[auth]\ntype = htpasswd\nhtpasswd_filename = ${path.join(folder, "users")}`,
    "htpasswd_encryption = plain\ndelay = 0",
    `[storage]\nfilesystem_folder = ${folder}`,
    "[logging]\nlevel = error",
  ].join("\n");
  writeFileSync(path.join(folder, "config"), config);
  const server = spawn("radicale", ["--config", path.join(folder, "config")], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => void server.once("exit", () => resolve()));
  const url = `http://${host}/`;
  for (let tries = 0; tries < 100; tries += 1) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) break;
    await sleep(50);
  }
  return {
    url,
    host,
    stop: async () => {
      server.kill("SIGKILL");
      await ended;
    },
  };
}
