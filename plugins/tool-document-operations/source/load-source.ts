import path from "node:path";
import { ToolError, type ToolContext } from "@pergola/sdk";

/** A document's bytes and what is known of them beside. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** The address it came from; null for a file. */
  readonly url: string | null;
  readonly mediaType: string | undefined;
  readonly charset: string | undefined;
}

const isUrl = (given: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(given);

const tooLarge = (name: string, limit: number): ToolError =>
  new ToolError("invalid_value", `${name} is larger than ${limit} bytes.`, {
    hint: "Split it, or the person can raise the setting tools.document.max_bytes.",
  });

/**
 * The bytes of a regular file. Throws ToolError `invalid_value` when it is too large, and the door's own
 * errors.
 */
export async function loadFile(file: string, { files, settings }: ToolContext): Promise<Source> {
  const limit = Number(settings["tools.document.max_bytes"] ?? 52_428_800);
  const { real } = await files.resolve(file);
  const info = await files.stat(real);
  if (info?.kind === "directory")
    throw new ToolError("invalid_value", `${file} is a folder.`, { hint: "Name one file in it." });
  if ((info?.size ?? 0) > limit) throw tooLarge(file, limit);
  const bytes = await files.read(file, { end: limit + 1 });
  if (bytes.length > limit) throw tooLarge(file, limit);
  return { bytes, filename: path.basename(file), url: null, mediaType: undefined, charset: undefined };
}

async function loadUrl(url: string, context: ToolContext): Promise<Source> {
  context.progress(`Fetching ${url}`);
  const response = await context.fetch(url, {
    maxBytes: Number(context.settings["tools.document.max_bytes"] ?? 52_428_800),
  });
  if (!response.ok) {
    const hint = response.status >= 500 ? "A retry may help." : "Check the address; a retry makes no sense.";
    throw new ToolError("network_error", `The server answered ${response.status}.`, { hint });
  }
  const type = response.headers.get("content-type") ?? "";
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    filename: nameIn(response.url || url),
    url,
    mediaType: type || undefined,
    charset: /charset=["']?([\w-]{1,40})/i.exec(type)?.[1],
  };
}

/** The last part of an address's path, or its host. */
function nameIn(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split("/").findLast((part) => part !== "") ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** What a path or an address names. */
export const loadSource = (given: string, context: ToolContext): Promise<Source> =>
  isUrl(given) ? loadUrl(given, context) : loadFile(given, context);
