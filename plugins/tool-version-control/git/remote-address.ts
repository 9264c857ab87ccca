import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** What a remote's address needs of the computer. */
export interface AddressNeeds {
  /** Names that are reached, `host` or `host:port`. */
  readonly hosts: readonly string[];
  /** Folders of the person that the transport reads. */
  readonly read: readonly string[];
  /** The repository itself, when it is on this computer. */
  readonly folder?: string;
}

const sshFolder = (): string => path.join(homedir(), ".ssh");

/** The names that an alias has in the person's ssh configuration (ssh_config(5), `Host` and `HostName`). */
async function sshNames(alias: string): Promise<readonly string[]> {
  const text = await readFile(path.join(sshFolder(), "config"), "utf8").catch(() => "");
  const blocks = text.split(/^\s*(?=(?:Host|Match)\s)/im);
  const own = blocks.filter((block) =>
    /^Host\s+(.*)$/im.exec(block)?.[1]?.trim().split(/\s+/).includes(alias),
  );
  const names = own.map((block) => /^\s*HostName\s+(\S+)/im.exec(block)?.[1]?.replaceAll("%h", alias));
  return [alias, ...names.filter((name) => name !== undefined)];
}

/** How git tells a path from an address (its `url_is_local_not_ssh`, and `file:` addresses). */
export function isLocal(url: string): boolean {
  const [colon, slash] = [url.indexOf(":"), url.indexOf("/")];
  return /^file:/i.test(url) || colon < 0 || (slash >= 0 && slash < colon);
}

function folderOf(url: string, root: string): string {
  if (!/^file:/i.test(url)) return path.resolve(root, url);
  return URL.canParse(url) ? fileURLToPath(url) : root;
}

/** What the transport of an address needs: https, ssh with the person's keys, or a folder. */
export async function needsOf(url: string, root: string): Promise<AddressNeeds> {
  if (isLocal(url)) return { hosts: [], read: [], folder: folderOf(url, root) };
  if (/^https:/i.test(url)) {
    const { hostname, port } = new URL(url);
    return { hosts: [`${hostname}:${port || 443}`], read: [] };
  }
  const name = /^ssh:/i.test(url)
    ? new URL(url).hostname
    : /^(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+):/.exec(url)?.[1];
  return { hosts: await sshNames(name ?? ""), read: [sshFolder()] };
}
