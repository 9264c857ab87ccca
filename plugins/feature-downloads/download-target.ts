import { AppError, defined } from "@pergola/sdk";
import type { DownloadRequest } from "@pergola/sdk/host";
import { checkNames, invalid, isRepoId } from "./names.ts";
import type { DownloadTarget } from "./records.ts";

interface Source {
  /** Of `downloads.base_url`. */
  readonly origin: string;
  /** `host` or `host:port`. */
  readonly allowedHosts: readonly string[];
}

/** How the pages of the source name a file: owner, repository, revision, path. */
const fileOfRepository = /^\/([^/]+)\/([^/]+)\/(?:resolve|blob)\/([^/]+)\/(.+)$/;

/** How they name a repository: its page, or its files at a revision. */
const pageOfRepository = /^\/([^/]+)\/([^/]+)(?:\/tree\/([^/]+))?\/?$/;

function addressOf(text: string, { origin, allowedHosts }: Source): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username + url.password !== "")
    throw invalid("modelUrl", "modelUrl must be the address of a file, as https://host/path.");
  if (url.origin === origin) return url;
  if (url.protocol !== "https:") throw invalid("modelUrl", "modelUrl must begin with https://.");
  const isAllowed = allowedHosts.some((host) =>
    [url.hostname, `${url.hostname}:${url.port || "443"}`].includes(host.toLowerCase()),
  );
  if (!isAllowed)
    throw invalid("modelUrl", `${url.host} is not one of the hosts of downloads.allowed_hosts.`);
  return url;
}

/**
 * Repository, revision and file that an address means. Elsewhere than at the source the host stands for the
 * owner.
 */
function namesIn({
  pathname,
  hostname,
}: URL): Pick<DownloadTarget, "repoId" | "revision"> & { readonly filename: string } {
  try {
    const [, owner, name, revision, file] = fileOfRepository.exec(pathname)?.map(decodeURIComponent) ?? [];
    if (file !== undefined)
      return { repoId: `${owner}/${name}`, revision: revision ?? "main", filename: file };
    const steps = pathname.split("/").filter(Boolean).map(decodeURIComponent);
    return {
      repoId: `${hostname}/${steps.slice(0, -1).join("-") || "files"}`,
      revision: "main",
      filename: steps.at(-1) ?? "",
    };
  } catch (cause) {
    throw new AppError({
      code: "invalid_value",
      message: "modelUrl holds a broken escape.",
      param: "modelUrl",
      cause,
    });
  }
}

/**
 * The repository that a text means, by its name or by the address of its page at the source; undefined for
 * the address of a file.
 */
function repositoryOf(
  text: string,
  source: Source,
): { readonly repoId: string; readonly revision?: string } | undefined {
  if (isRepoId(text)) return { repoId: text };
  const url = addressOf(text, source);
  const [, owner, name, revision] = pageOfRepository.exec(url.pathname) ?? [];
  if (url.origin !== source.origin || name === undefined) return undefined;
  return defined({ repoId: `${owner}/${name}`, revision });
}

/** A request, complete and harmless. Throws `missing_field` or `invalid_value`. */
export function targetOf(
  { repoId, filename, revision, sha256, modelUrl }: DownloadRequest,
  source: Source,
): DownloadTarget {
  const own = {
    repoId: repoId ?? "",
    filename: filename ?? null,
    revision: revision ?? "main",
    sha256: sha256 ?? null,
  };
  if (modelUrl === undefined) {
    if (repoId === undefined)
      throw new AppError({ code: "missing_field", message: "repoId is missing.", param: "repoId" });
    checkNames(own);
    return { ...own, url: null };
  }
  const repository = repositoryOf(modelUrl, source);
  if (repository !== undefined) {
    const asked = { ...own, ...repository };
    checkNames(asked);
    return { ...asked, url: null };
  }
  const url = addressOf(modelUrl, source);
  const target = { ...namesIn(url), sha256: own.sha256 };
  checkNames(target);
  const isKnown = url.origin === source.origin && fileOfRepository.test(url.pathname);
  return { ...target, url: isKnown ? null : url.href.replace(/#.*/, "").replace("/blob/", "/resolve/") };
}

const fields = ["repoId", "filename", "revision", "sha256", "url"] as const;

export const isSame = (a: DownloadTarget, b: DownloadTarget): boolean =>
  fields.every((field) => a[field] === b[field]);
