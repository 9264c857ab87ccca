import type { ToolContext } from "@pergola/sdk";

type Settings = ToolContext["settings"];

const key = "tools.image.base_url";
let hostSettings = (): Settings => ({});

/** The service's address as it is set; a family that is asked whether it can be used has no context, so the host's settings are kept here. */
export const serviceSettings = {
  readFrom(settings: () => Settings): void {
    hostSettings = settings;
  },
  atStart: (): string => (hostSettings()[key] ?? "") as string,
  of: ({ settings }: Pick<ToolContext, "settings">): string => (settings[key] ?? "") as string,
};

/** An address that others can be resolved against; undefined when it is no http or https address, or holds a user name. */
export function baseUrlOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username + url.password !== "") return undefined;
  url.pathname = url.pathname.replace(/\/*$/, "/");
  [url.search, url.hash] = ["", ""];
  return url;
}
