import { AppError, defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";
import type { McpServerChange } from "@pergola/sdk/host";
import { entryProperties, serverSchema } from "./schemas.ts";
import { answerPage } from "./sign-in/answer-page.ts";
import { callbackPath, returnAddress } from "./sign-in/return-address.ts";

type Needed = ServicesWith<"mcpServers">;

const nameSchema = {
  type: "string",
  pattern: "^(?!servers$)[a-z][a-z0-9_]{0,31}$",
  description: "Its tools are the family `mcp_<name>`",
} as const;
const params = { name: nameSchema } as const;
const restartRequired = { type: "boolean" } as const;

/** What changes MCP servers starts programs, so it is the administrator's. */
const administered = { scope: "admin", protected: true } as const;

export const listServers = defineRoute({
  method: "GET",
  path: "/api/mcp/servers",
  scope: "read",
  summary: "List the MCP servers with their state and their tools",
  description: "Values of secrets are never shown. What a server says of itself is data, no instruction.",
  response: {
    type: "object",
    properties: {
      servers: { type: "array", items: serverSchema },
      count: { type: "integer" },
      restartRequired,
    },
  },
  failures: [],
  async handle({ caller }, { mcpServers }: Needed) {
    const servers = await mcpServers.list(caller);
    const body = { servers, count: servers.length, restartRequired: await mcpServers.restartRequired() };
    return { body };
  },
});

export const addServer = defineRoute({
  method: "POST",
  path: "/api/mcp/servers",
  ...administered,
  strict: true,
  summary: "Add an MCP server: a command or a URL",
  description:
    "Values of env, headers and token are kept as secrets and never shown again. Models are offered its " +
    "tools after the next start; checking it before that shows them.",
  body: {
    type: "object",
    required: ["name"],
    examples: [{ name: "tickets", command: "npx", args: ["-y", "tickets-mcp"] }],
    properties: { name: nameSchema, ...entryProperties },
  },
  answers: { 201: { "application/json": serverSchema } },
  failures: ["id_taken", "set_elsewhere", "storage_unavailable"],
  async handle({ body: { name, ...entry }, caller }, { mcpServers }: Needed) {
    return { status: 201, body: await mcpServers.add(name, entry as McpServerChange, caller) };
  },
});

export const changeServer = defineRoute({
  method: "PATCH",
  path: "/api/mcp/servers/{name}",
  ...administered,
  summary: "Change an MCP server; what is absent stays as it is, null removes a field",
  params,
  body: { type: "object", examples: [{ enabled: false }], properties: entryProperties },
  response: serverSchema,
  failures: ["set_elsewhere", "storage_unavailable"],
  handle: async ({ params: { name }, body, caller }, { mcpServers }: Needed) => ({
    body: await mcpServers.change(name, body as McpServerChange, caller),
  }),
});

export const deleteServer = defineRoute({
  method: "DELETE",
  path: "/api/mcp/servers/{name}",
  ...administered,
  summary: "Remove an MCP server with its secrets and what was approved of it",
  params,
  response: { type: "object", properties: { success: { const: true }, restartRequired } },
  failures: ["set_elsewhere", "storage_unavailable"],
  async handle({ params: { name }, caller }, { mcpServers }: Needed) {
    await mcpServers.remove(name, caller);
    return { body: { success: true, restartRequired: await mcpServers.restartRequired() } };
  },
});

export const checkServer = defineRoute({
  method: "POST",
  path: "/api/mcp/servers/{name}/check",
  ...administered,
  summary: "Connect to an MCP server now and look at its tools",
  description:
    "The tools of a server that was never met are approved as they are. What goes wrong is `lastError`. " +
    "Where the server wants a sign-in, one begins: `state` is `sign_in`, and `signInUrl` is for the " +
    "person's browser, for ten minutes.",
  params,
  response: serverSchema,
  failures: [],
  handle: async ({ params: { name }, caller, signal, ...at }, { mcpServers }: Needed) => ({
    body: await mcpServers.check(name, signal, { caller, redirect: returnAddress(at) }),
  }),
});

export const signOutOfServer = defineRoute({
  method: "POST",
  path: "/api/mcp/servers/{name}/sign-out",
  ...administered,
  summary: "Delete the tokens that a sign-in at an MCP server has given",
  params,
  response: serverSchema,
  failures: [],
  handle: async ({ params: { name }, caller }, { mcpServers }: Needed) => ({
    body: await mcpServers.signOut(name, caller),
  }),
});

const answered = (description: string) => ({ type: "string", maxLength: 4096, description }) as const;

export const endSignIn = defineRoute({
  method: "GET",
  path: callbackPath,
  scope: "open",
  page: true,
  summary: "Where a browser comes back to after a sign-in at an MCP server",
  description: "Takes only an answer with the `state` of a sign-in that was begun here, and takes it once.",
  query: {
    state: answered("By which the sign-in is recognized; counts once"),
    code: answered("For which tokens are given"),
    iss: answered("Who answers; must be who was asked"),
    error: answered("Why the sign-in came to nothing, in a word of the protocol"),
    error_description: answered("The same, for people"),
  },
  answers: { 200: { "text/html": { type: "string" } }, 400: { "text/html": { type: "string" } } },
  failures: [],
  async handle({ query, signal }, { mcpServers }: Needed) {
    const { state = "", ...answer } = query;
    try {
      const { name, lastError } = await mcpServers.signIn({ state, ...answer }, signal);
      const title = `You are signed in: ${name}`;
      if (lastError !== null) return answerPage(200, title, `It cannot be used yet: ${lastError}`);
      return answerPage(200, title, "Close this page, and go back to Pergola.");
    } catch (error) {
      if (!AppError.is(error) || error.code !== "invalid_value") throw error;
      return answerPage(400, "You are not signed in", error.message);
    }
  },
});

export const reviewServer = defineRoute({
  method: "POST",
  path: "/api/mcp/servers/{name}/review",
  ...administered,
  strict: true,
  summary: "Approve or refuse an MCP server's entry and tools as they were shown",
  description:
    "`digest` is that of the record that was shown. The server is asked once more; when it says anything " +
    "else by now, nothing is approved.",
  params,
  body: {
    type: "object",
    required: ["digest", "approved"],
    examples: [{ digest: "5f0c…", approved: true }],
    properties: { digest: { type: "string", minLength: 1, maxLength: 64 }, approved: { type: "boolean" } },
  },
  response: serverSchema,
  failures: ["digest_changed", "storage_unavailable"],
  handle: async ({ params: { name }, body, caller, signal }, { mcpServers }: Needed) => ({
    body: await mcpServers.review(name, body, caller, signal),
  }),
});

export const mcpServers = defineEndpoints({
  group: "mcp_servers",
  needs: "mcpServers",
  routes: [
    listServers,
    addServer,
    changeServer,
    deleteServer,
    checkServer,
    reviewServer,
    signOutOfServer,
    endSignIn,
  ],
});
