import type { Target } from "../ssh/target.ts";

/** One step of a path, which can lead nowhere but down. */
export const isPlainName = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);

/** The last step of a path on the other machine; undefined when it has none, as in `/` and `..`. */
export function lastName(path: string): string | undefined {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return isPlainName(name) ? name : undefined;
}

/** A machine's own folder here: its account and name, without what a path could be made of. */
export function folderName({ user, name, port }: Target): string {
  const parts = [`${user}@${name}`];
  if (port !== 22) parts.push(String(port));
  return parts.join("_").replace(/[^A-Za-z0-9@._-]/g, "_");
}

/** A remote path as SFTP takes it, which knows no `~`: relative paths begin at the remote home. */
export function sftpPath(path: string): string {
  if (path === "~") return ".";
  return path.replace(/^~\//, "") || ".";
}

/** A remote path seen from a remote folder. */
export function below(folder: string, path: string): string {
  if (path === "~" || /^~?\//.test(path)) return sftpPath(path);
  return `${sftpPath(folder)}/${path}`;
}
