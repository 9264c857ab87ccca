import { existsSync } from "node:fs";
import path from "node:path";

/** What container runtimes leave behind. */
const files = [".dockerenv", "run/.containerenv"];
const variables = ["container", "KUBERNETES_SERVICE_HOST"];

const asRoot =
  "this is root outside a container: commands that leave the sandbox may do everything on this computer. " +
  "Run Pergola under an account of its own.";

interface Surroundings {
  readonly uid?: number | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  readonly root?: string;
}

/** What the person should know of an account that may do everything; undefined where it is another. */
export function rootWarning({
  uid = process.getuid?.(),
  environment = process.env,
  root = "/",
}: Surroundings = {}): string | undefined {
  const isContained =
    files.some((file) => existsSync(path.join(root, file))) || variables.some((name) => environment[name]);
  return uid === 0 && !isContained ? asRoot : undefined;
}
