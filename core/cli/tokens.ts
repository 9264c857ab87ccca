import { statSync } from "node:fs";
import path from "node:path";
import { countOf, defined } from "@pergola/sdk";
import type { MadeToken, TokenRecord } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { inFlags } from "./in-flags.ts";
import { localTime } from "./local-time.ts";
import { curlLine, hasPage } from "./page.ts";
import { printJson, printLines, printNote, printWrapped } from "./print-result.ts";
import { jsonOf, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly tokens: readonly TokenRecord[];
  readonly count: number;
}

interface MadeCode {
  readonly code: string;
  readonly expiresAt: string;
}

interface AddOptions extends CommonOptions {
  readonly scope?: readonly string[];
  readonly expires?: string;
  readonly root?: string;
  readonly link?: boolean;
}

const addressOf = (id: string): string => `/api/tokens/${encodeURIComponent(id)}`;

/** Prints the text of a token, and nothing else, on stdout. */
function printMade({ token, secret }: MadeToken, what: string): void {
  printLines([secret]);
  const end = token.expiresAt === null ? "never expires" : `expires ${localTime(token.expiresAt)}`;
  const below = token.root === null ? "" : `; below ${token.root}`;
  printNote(`${what} ${token.name} (${token.id}; ${token.scopes.join(", ")}${below}; ${end}).`);
  printNote("This text is not shown again. Give it to one device only.");
}

const flags: Readonly<Record<string, string>> = {
  scopes: "--scope",
  expiresIn: "--expires",
  overlap: "--overlap",
  root: "--root",
};

/** A folder of the service's computer: one that is not there is a slip. Throws AppError `invalid_value`. */
function folderAt(root: string, url: string | undefined): string {
  const folder = path.resolve(root);
  if (url !== undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw fault("invalid_value", `--root: there is no folder ${folder}.`);
}

/** Makes a token. */
export async function addToken(
  service: Service,
  name: string,
  { scope: scopes, expires, root, link = false, json, url }: AddOptions,
): Promise<void> {
  const expiresIn = expires === "never" ? null : expires;
  const folder = root === undefined ? undefined : folderAt(root, url);
  const body = defined({ name, scopes, expiresIn, root: folder });
  const made = await inFlags(flags, service.send<MadeToken>("POST", "/api/tokens", body));
  if (!link) return json ? printJson(made) : printMade(made, "Made the token");
  const asked = { tokenId: made.token.id };
  const code = await jsonOf<MadeCode>(await service.call("POST", "/api/session/code", asked));
  if (json) return printJson({ ...made, ...code });
  printMade(made, "Made the token");
  for (const line of await codeLines(service, code)) printNote(line);
}

/** How a browser signs in with a code, once. */
async function codeLines(service: Service, { code, expiresAt }: MadeCode): Promise<readonly string[]> {
  const end = localTime(expiresAt);
  if (await hasPage(service))
    return [
      `To sign a browser in, open the service's address there with this behind it, until`,
      `${end}: /#code=${code}`,
    ];
  return [
    `The service has no page yet that this could lead to. Try the token: ${curlLine("<address>", "<token>")}`,
    `A page of your own signs in with POST /api/session, once, until ${end}: {"code":"${code}"}`,
  ];
}

/** Lists tokens, the oldest first. */
export async function listTokens(service: Service, { json }: CommonOptions): Promise<void> {
  const { tokens, count } = await service.get<Listed>("/api/tokens");
  if (json) return printJson({ tokens, count });
  for (const token of tokens) printWrapped([lineOf(token)]);
  if (count === 0) printNote("There is no token. `pergola tokens add <name>` makes one.");
}

function lineOf({
  id,
  name,
  scopes,
  root,
  expiresAt,
  lastUsedAt,
  lastAddress,
  replacedBy,
}: TokenRecord): string {
  const facts = [scopes.join(",")];
  if (root !== null) facts.push(`below ${root}`);
  facts.push(expiresAt === null ? "never expires" : `expires ${localTime(expiresAt)}`);
  facts.push(lastUsedAt === null ? "not used" : `used ${localTime(lastUsedAt)} from ${lastAddress ?? "?"}`);
  if (replacedBy !== null) facts.push(`replaced by ${replacedBy}`);
  return `${id} ${visible(name)} ${styled("dim", visible(facts.join(", ")))}`;
}

/** The id of a token that is named by its id or its name. */
async function idOf(service: Service, token: string): Promise<string> {
  const { tokens, count } = await service.get<Listed>("/api/tokens");
  const found =
    tokens.find(({ id }) => id === token) ??
    tokens.find(({ name, replacedBy }) => name === token && replacedBy === null);
  if (found !== undefined) return found.id;
  const hint = `\`pergola tokens list\` shows the ${countOf(count, "token")} that there are.`;
  throw fault("not_found", `There is no token "${token}". ${hint}`);
}

/** Gives a token a new text. */
export async function rotateToken(
  service: Service,
  token: string,
  { overlap, json }: CommonOptions & { readonly overlap?: string },
): Promise<void> {
  const address = `${addressOf(await idOf(service, token))}/rotate`;
  const made = await inFlags(flags, service.send<MadeToken>("POST", address, defined({ overlap })));
  if (json) return printJson(made);
  printMade(made, "Rotated the token");
}

/** Revokes a token. */
export async function revokeToken(
  service: Service,
  token: string,
  { cancelRuns = false, json }: CommonOptions & { readonly cancelRuns?: boolean },
): Promise<void> {
  const id = await idOf(service, token);
  await jsonOf(await service.call("DELETE", `${addressOf(id)}?cancelRuns=${cancelRuns}`));
  if (json) return printJson({ success: true, id });
  printNote(`Revoked ${token}: it lets nobody in any more, and what was open for it is closed.`);
}
