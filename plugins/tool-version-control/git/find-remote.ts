import { redirectingKeys, remoteEnvironment, type Environment, type GitAccess } from "@pergola/kit-git";
import { ToolError } from "@pergola/sdk";
import { openCredentials } from "./credentials.ts";
import { requireNoOption } from "./names.ts";
import { isLocal, needsOf } from "./remote-address.ts";
import type { Repository } from "./repository.ts";

/**
 * Serving a repository on this computer runs git in it: without its hooks and without what its configuration
 * names.
 */
const safeSettings = [
  "core.alternateRefsCommand=true",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "gc.auto=0",
  "receive.autogc=false",
  "receive.denyCurrentBranch=refuse",
];

export interface Remote {
  readonly name: string;
  /** For every command that speaks to it. */
  readonly env: Environment;
  /** The program at the other end, which the repository's configuration would choose otherwise. */
  readonly program: string;
  /** Where it is, when that is not on this computer. */
  readonly addresses: readonly string[];
  /** What a command that speaks to it reaches. */
  readonly reach: GitAccess;
}

/**
 * A remote by its name in the repository: addresses are not taken. Throws ToolError `not_found`, naming those
 * there are.
 */
export async function findRemote(
  repository: Repository,
  name: string,
  service: "upload-pack" | "receive-pack",
): Promise<Remote> {
  requireNoOption(name, "A remote");
  if (!repository.remotes.includes(name)) {
    const names = repository.remotes.join(", ");
    throw new ToolError("not_found", `There is no remote "${name}".`, {
      hint: (names && `Remotes: ${names}.`) || "It has none.",
    });
  }
  requireNoRedirection(repository);
  const which = service === "receive-pack" ? ["--push", "--all"] : [];
  const urls = (await repository.run(["remote", "get-url", ...which, name])).trim().split("\n");
  const options = safeSettings.map((setting) => `-c ${setting}`).join(" ");
  const program = urls.some(isLocal) ? `git ${options} ${service}` : `git-${service}`;
  const needs = await Promise.all(urls.map((url) => needsOf(url, repository.root)));
  const folders = needs.map(({ folder }) => folder).filter((folder) => folder !== undefined);
  const read = needs.flatMap((each) => each.read);
  const reach = {
    hosts: needs.flatMap(({ hosts }) => hosts),
    read: service === "upload-pack" ? [...read, ...folders] : read,
    write: service === "receive-pack" ? folders : [],
  };
  return {
    name,
    env: remoteEnvironment,
    program,
    addresses: urls.filter((url) => !isLocal(url)),
    reach,
  };
}

function requireNoRedirection({ config }: Repository): void {
  const keys = redirectingKeys(config);
  if (keys.length === 0) return;
  throw new ToolError(
    "permission_denied",
    `The repository's own configuration decides with whom git speaks: ${keys.join(", ")}.`,
    {
      hint:
        "No approval opens it, since the person's passwords could go elsewhere. If the person wants these " +
        "settings, they belong into the person's own configuration (git config --global).",
    },
  );
}

/** Runs a command that speaks to a remote, with the person's sign-in for it. Throws ToolError as `report`. */
export async function speakTo(
  repository: Repository,
  { env, addresses, reach }: Remote,
  args: readonly string[],
): Promise<string> {
  const credentials = await openCredentials(repository, addresses);
  const { settings, read } = credentials;
  try {
    const whole = { ...reach, read: [...(reach.read ?? []), ...read] };
    return await repository.report(args, { env, settings, reach: whole });
  } finally {
    await credentials.close();
  }
}
