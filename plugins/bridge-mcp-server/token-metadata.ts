import { AppError, defineRoute, type Services } from "@pergola/sdk";

export const metadataPath = "/.well-known/oauth-protected-resource";

/** Whether this caller, or any other that the service listens to, needs a token. */
function needsToken(kind: string, { preferences }: Services): boolean {
  if (kind !== "owner" || preferences.get("auth.loopback") === "token") return true;
  if (preferences.get<boolean>("server.allow_remote")) return true;
  return preferences.get<readonly string[]>("server.trusted_proxies").length > 0;
}

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

/** Where the protocol's clients look when they are refused: a token is sent as a header, and made here. */
export const tokenMetadata = defineRoute({
  method: "GET",
  path: metadataPath,
  aliases: [`${metadataPath}/mcp`],
  scope: "open",
  summary: "What an MCP client needs to know of tokens (RFC 9728); 404 while no caller needs one",
  description: "There is no authorization server: `pergola tokens add <name> --scopes tools` makes a token.",
  response: {
    type: "object",
    properties: {
      resource: text,
      resource_name: text,
      resource_documentation: text,
      bearer_methods_supported: texts,
      scopes_supported: texts,
    },
  },
  failures: [],
  handle({ caller, peer, headers }, services) {
    if (!needsToken(caller.kind, services))
      throw new AppError({ code: "not_found", message: "No caller needs a token here." });
    const base = `${peer?.secure === true ? "https" : "http"}://${headers["host"] ?? ""}`;
    return {
      body: {
        resource: `${base}/mcp`,
        resource_name: "Pergola",
        resource_documentation: `${base}/docs/clients`,
        bearer_methods_supported: ["header"],
        scopes_supported: ["tools"],
      },
    };
  },
});
