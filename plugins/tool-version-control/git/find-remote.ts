import { redirectingKeys, remoteEnvironment, type Environment } from "@pergola/kit-git";
import { ToolError } from "@pergola/sdk";
import { requireNoOption } from "./names.ts";
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

/** How git tells a path from an address (its `url_is_local_not_ssh`, and `file:` addresses). */
function isLocal(url: string): boolean {
  const [colon, slash] = [url.indexOf(":"), url.indexOf("/")];
  return /^file:/i.test(url) || colon < 0 || (slash >= 0 && slash < colon);
}

interface Remote {
  readonly name: string;
  /** For every command that speaks to it. */
  readonly env: Environment;
  /** The program at the other end, which the repository's configuration would choose otherwise. */
  readonly program: string;
  /** Where it is, when that is not on this computer. */
  readonly addresses: readonly string[];
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
  return { name, env: remoteEnvironment, program, addresses: urls.filter((url) => !isLocal(url)) };
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
