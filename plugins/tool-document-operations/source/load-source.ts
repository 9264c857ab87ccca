import path from "node:path";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { invalidValue } from "../invalid-value.ts";

/** A document's bytes, its name, and what a server says about it. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly filename: string;
  /** The address it came from; null for a file. */
  readonly url: string | null;
  readonly mediaType?: string | undefined;
  readonly charset?: string | undefined;
}

const sizeLimit = ({ settings }: ToolContext): number =>
  Number(settings["tools.document.max_bytes"] ?? 52_428_800);

const tooLarge = (name: string, limit: number): ToolError =>
  invalidValue(
    `${name} is larger than ${limit} bytes.`,
    "Split it, or the person can raise the setting tools.document.max_bytes.",
  );

/**
 * The bytes of a regular file. Throws ToolError `invalid_value` when it is too large, and the door's own
 * errors.
 */
export async function loadFile(file: string, context: ToolContext): Promise<Source> {
  const { files } = context;
  const limit = sizeLimit(context);
  const { real } = await files.resolve(file);
  const info = await files.stat(real);
  if (info?.kind === "directory") throw invalidValue(`${file} is a folder.`, "Name one file in it.");
  if ((info?.size ?? 0) > limit) throw tooLarge(file, limit);
  const bytes = await files.read(file, { end: limit + 1 });
  if (bytes.length > limit) throw tooLarge(file, limit);
  return {
    bytes,
    filename: path.basename(file),
    url: null,
  };
}

async function loadUrl(url: string, context: ToolContext): Promise<Source> {
  context.progress(`Fetching ${url}`);
  const response = await context.fetch(url, { maxBytes: sizeLimit(context) });
  if (!response.ok) throw refusal(response.status);
  const mediaType = response.headers.get("content-type") || undefined;
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    filename: nameIn(response.url || url),
    url,
    mediaType,
    charset: /charset=["']?([\w-]{1,40})/i.exec(mediaType ?? "")?.[1],
  };
}

function refusal(status: number): ToolError {
  const hint = status >= 500 ? "A retry may help." : "Check the address; a retry makes no sense.";
  return new ToolError("network_error", `The server answered ${status}.`, { hint });
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
export async function loadSource(place: string, context: ToolContext): Promise<Source> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return loadUrl(place, context);
  return loadFile(place, context);
}
