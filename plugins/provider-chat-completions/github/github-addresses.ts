import { AppError, type ProviderSettings } from "@pergola/sdk";

export interface GithubAddresses {
  /** Where a person logs in. */
  readonly login: string;
  /** Where programs ask. */
  readonly api: string;
}

/**
 * Of github.com, or of the GitHub that the provider's own setting `github_url` names. Throws AppError
 * `invalid_value`.
 */
export function githubAddresses({ extra, name }: ProviderSettings): GithubAddresses {
  const address = extra["github_url"] ?? "https://github.com";
  if (typeof address !== "string" || !URL.canParse(address)) {
    throw new AppError({
      code: "invalid_value",
      message: `${name} needs a github_url such as https://github.com.`,
      param: "github_url",
    });
  }
  const { origin, protocol, host } = new URL(address);
  const hasOwnHost = host === "github.com" || host.endsWith(".ghe.com");
  return { login: origin, api: hasOwnHost ? `${protocol}//api.${host}` : `${origin}/api/v3` };
}
