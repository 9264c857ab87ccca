import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

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

/** Starts a registry that has nothing yet. */
export async function openRegistry(): Promise<NpmRegistry> {
  const packages = new Map<string, Map<string, Published>>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const [target = ""] = decodeURIComponent(request.url ?? "").split("?");
    requests.push(target);
    const [, name = "", , file] = target.split("/");
    const versions = packages.get(name);
    response.setHeader("cache-control", "no-store");
    if (versions === undefined) return void response.writeHead(404).end("{}");
    if (file !== undefined) return void response.end(versions.get(file.slice(name.length + 1, -4))?.tarball);
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
            tarball: `${url}/${name}/-/${name}-${version}.tgz`,
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
