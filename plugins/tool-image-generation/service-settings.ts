import type { ToolContext } from "@pergola/sdk";

/** The service's address as it is set; empty when there is none. */
export const addressOf = ({ settings }: Pick<ToolContext, "settings">): string =>
  (settings["tools.image.base_url"] ?? "") as string;

/**
 * An address that others can be resolved against; undefined when it is no http or https address, or holds a
 * user name.
 */
export function baseUrlOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username + url.password !== "") return undefined;
  url.pathname = url.pathname.replace(/\/*$/, "/");
  [url.search, url.hash] = ["", ""];
  return url;
}
