import { createHash } from "node:crypto";
import { defined } from "@pergola/sdk";
import {
  canonicalJson,
  visibleText as visible,
  type McpServerStatus,
  type McpServerTool,
} from "@pergola/sdk/host";
import { effectOf } from "./effect-of.ts";
import type { McpServer } from "./mcp-server.ts";
import { digestOf, type McpTool } from "./mcp-tool.ts";
import { faultOf, launchOf, type Launch, type ServerSettings } from "./server-settings.ts";

const hash = (launch: Launch | null, tools: readonly McpTool[]): string =>
  createHash("sha256")
    .update(canonicalJson([launch, tools.map(digestOf)]))
    .digest("hex");

/** Of the entry and the tools as they were seen last: what a review is bound to. null before it was met. */
export function shownDigest({ known, settings }: McpServer): string | null {
  return known === undefined ? null : hash(launchOf(settings), known.seen ?? known.tools);
}

/** Of what is approved: the same, as long as models are offered the same. */
export function approvedDigest({ known }: McpServer): string | null {
  return known === undefined ? null : hash(known.launch, known.tools);
}

function stateOf(server: McpServer): McpServerStatus["state"] {
  const { known, connection } = server;
  if (connection === "connecting") return connection;
  if (server.signIn.isNeeded && server.signIn.fault === "") return "sign_in";
  if (server.lastError !== "") return "failed";
  const isUnderReview =
    known !== undefined && !(server.isLaunchApproved && known.changed.length + known.fresh.length === 0);
  if (isUnderReview) return "review";
  return connection === "open" ? "ready" : "idle";
}

/** The tools as they were seen last, and those that are gone. */
function toolsOf({ known, settings }: McpServer): readonly McpServerTool[] {
  if (known === undefined) return [];
  const { tools, changed, fresh, seen = tools } = known;
  const gone = tools.filter((tool) => seen.every(({ name }) => name !== tool.name));
  return [...seen, ...gone].map((tool) => ({
    name: visible(tool.name),
    description: visible(tool.description),
    inputSchema: tool.inputSchema,
    effect: effectOf(tool, settings),
    changed: changed.includes(tool.name) || fresh.includes(tool.name),
  }));
}

/** What is told of an entry whether it is switched on or not. */
export function entryStatus(name: string, settings: ServerSettings) {
  const { command = null, args = [], url = null, env = {}, headers = {}, token, client_secret } = settings;
  const single = Object.keys(defined({ token, client_secret }));
  const secrets = [...Object.keys(env), ...Object.keys(headers), ...single];
  const transport = url === null ? "stdio" : "http";
  return { name, transport, command, args, url, secrets } as const;
}

/** What a server that is switched on says of itself. */
export function serverStatus(server: McpServer) {
  const state = stateOf(server);
  const lastError = server.lastError === "" ? null : visible(server.lastError);
  const { link: signInUrl, isSignedIn: signedIn } = server.signIn;
  return { state, lastError, signInUrl, signedIn, tools: toolsOf(server), digest: shownDigest(server) };
}

/** The same of one that is switched off. */
export const disabledStatus = (settings: ServerSettings) =>
  ({
    state: "disabled",
    lastError: faultOf(settings) ?? null,
    signInUrl: null,
    signedIn: false,
    tools: [],
    digest: null,
  }) as const;
