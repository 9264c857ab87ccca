import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

interface Published {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tarball: Buffer;
}

/** A registry of packages on loopback, as far as npm asks. */
export interface NpmRegistry {
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
  /** Offers a tarball under a name and version; again under the same = other bytes. */
  publish(
    manifest: Published["manifest"] & { readonly name: string; readonly version: string },
    file: string,
  ): void;
  close(): Promise<void>;
}

/** The package that a path asks for, and the file of it, if any. */
function readPath(target: string): { readonly name: string; readonly file: string | undefined } {
  const [, name = "", file] = /^\/((?:@[^/]+\/)?[^/]*)(?:\/-\/(.+))?$/.exec(target) ?? [];
  return { name, file };
}

/**
 * Starts a registry that has nothing yet. `beyond`: address of a registry where npm is sent for what this one
 * has not.
 */
export async function openRegistry(beyond?: string): Promise<NpmRegistry> {
  const packages = new Map<string, Map<string, Published>>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const [target = ""] = decodeURIComponent(request.url ?? "").split("?");
    requests.push(target);
    const { name, file } = readPath(target);
    const versions = packages.get(name);
    response.setHeader("cache-control", "no-store");
    if (versions === undefined && beyond !== undefined)
      return void response.writeHead(302, { location: new URL(`.${request.url}`, beyond).href }).end();
    if (versions === undefined) return void response.writeHead(404).end("{}");
    const start = `${path.basename(name)}-`;
    if (file !== undefined) return void response.end(versions.get(file.slice(start.length, -4))?.tarball);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(packument(name, versions)));
  });
  const packument = (name: string, versions: ReadonlyMap<string, Published>): object => ({
    name,
    "dist-tags": { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, { manifest, tarball }]) => [
        version,
        {
          ...manifest,
          _npmUser: { name: "ada", email: "ada@example.org" },
          dist: {
            tarball: `${url}/${name}/-/${path.basename(name)}-${version}.tgz`,
            integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
          },
        },
      ]),
    ),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    publish: (manifest, file) => {
      const versions = packages.get(manifest.name) ?? new Map<string, Published>();
      packages.set(manifest.name, versions);
      versions.set(manifest.version, { manifest, tarball: readFileSync(file) });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
