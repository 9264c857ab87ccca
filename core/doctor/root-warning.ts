import { existsSync } from "node:fs";
import path from "node:path";

/** What container runtimes leave behind. */
const files = [".dockerenv", "run/.containerenv"];
const variables = ["container", "KUBERNETES_SERVICE_HOST"];

/** What the person should know of an account that may do everything. */
export const atRoot = {
  detail:
    "this is root outside a container: commands that leave the sandbox may do everything on this computer.",
  remedy: "Run Pergola under an account of its own.",
} as const;

interface Surroundings {
  readonly uid?: number | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  readonly root?: string;
}

/** Whether this account may do everything, outside a container. */
export function isRoot({
  uid = process.getuid?.(),
  environment = process.env,
  root = "/",
}: Surroundings = {}): boolean {
  const isContained =
    files.some((file) => existsSync(path.join(root, file))) || variables.some((name) => environment[name]);
  return uid === 0 && !isContained;
}

/** What the person should know of the account, in one line; undefined where there is nothing to know. */
export function rootWarning(surroundings: Surroundings = {}): string | undefined {
  return isRoot(surroundings) ? `${atRoot.detail} ${atRoot.remedy}` : undefined;
}
