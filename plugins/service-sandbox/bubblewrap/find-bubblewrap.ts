import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** Never from PATH, where somebody could have put another program of that name. */
const folders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** The program bubblewrap, and what its version can do. */
export interface Bubblewrap {
  readonly program: string;
  /** `0.8.0` */
  readonly version: string;
  /** From 0.8 on it can forbid further user namespaces itself. */
  readonly forbidsNamespaces: boolean;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The installed bubblewrap; undefined where there is none. */
export async function findBubblewrap(): Promise<Bubblewrap | undefined> {
  for (const folder of folders) {
    const program = path.join(folder, "bwrap");
    if (!(await isProgram(program))) continue;
    const { stdout } = await promisify(execFile)(program, ["--version"], { env: {} });
    const [version = "0.0.0", major = "0", minor = "0"] = /(\d+)\.(\d+)[\d.]*/.exec(stdout) ?? [];
    return { program, version, forbidsNamespaces: Number(major) > 0 || Number(minor) >= 8 };
  }
  return undefined;
}
