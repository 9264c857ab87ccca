import type { JsonSchema } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const boolean = { type: "boolean" } as const;
const effects = ["none", "read", "write", "destructive", "execute"] as const;

/** An MCP server as the routes show it. */
export const serverSchema = {
  title: "McpServer",
  type: "object",
  required: ["name", "transport", "state", "tools", "fixed", "restartRequired"],
  properties: {
    name: text,
    transport: { enum: ["stdio", "http"] },
    command: { ...textOrNull, description: "null with transport http" },
    args: { type: "array", items: text },
    url: { ...textOrNull, description: "null with transport stdio" },
    secrets: { type: "array", items: text, description: "Names of variables and headers, and token" },
    sandbox: { ...textOrNull, description: "What walls its program in; null: nothing does" },
    state: {
      enum: ["ready", "idle", "connecting", "failed", "review", "sign_in", "disabled"],
      description:
        "idle: started when needed; review: something has changed since it was approved; " +
        "sign_in: it wants you to sign in, see signInUrl",
    },
    lastError: textOrNull,
    signInUrl: {
      ...textOrNull,
      description:
        "For the person's browser; null until a check has begun a sign-in, and without the scope admin",
    },
    signedIn: { ...boolean, description: "There are tokens from a sign-in" },
    tools: {
      type: "array",
      description: "As they were seen last; the words are the server's",
      items: {
        type: "object",
        properties: {
          name: text,
          description: text,
          inputSchema: { type: "object" },
          effect: { enum: effects },
          changed: { ...boolean, description: "New, gone or changed since it was approved: not used" },
        },
      },
    },
    digest: { ...textOrNull, description: "Of what is shown here, for a review; null before it was met" },
    fixed: { ...boolean, description: "Set by the settings file, the environment or a flag" },
    restartRequired: { ...boolean, description: "Models see the difference after the next start" },
  },
} as const satisfies JsonSchema;

const clearable = (schema: JsonSchema, description: string) =>
  ({ anyOf: [schema, { type: "null" }], description }) as const;

const list = { type: "array", items: text } as const;
const variables = { type: "object", additionalProperties: textOrNull } as const;

/** The fields of an entry of `mcp.servers`; null removes one. */
export const entryProperties = {
  command: clearable({ type: "string", minLength: 1 }, "A program, started without a shell"),
  args: clearable(list, "Its arguments"),
  env: clearable(variables, "Variables that it gets; absent ones stay, null removes one"),
  cwd: clearable({ type: "string", pattern: "^(/|~(/|$))" }, "Where it is started; default: the home folder"),
  url: clearable(
    { type: "string", format: "uri", pattern: "^https?://" },
    "Of a server that speaks streamable HTTP; another origin drops stored headers and the token",
  ),
  headers: clearable(variables, "Sent with every request; absent ones stay, null removes one"),
  token: clearable({ type: "string", minLength: 4, maxLength: 10_000 }, "Sent as Authorization: Bearer"),
  client_id: clearable(
    { type: "string", minLength: 1, maxLength: 2000 },
    "Of a client that you have registered where you sign in; absent: Pergola registers itself",
  ),
  client_secret: clearable({ type: "string", minLength: 4, maxLength: 10_000 }, "Of that client"),
  enabled: clearable(boolean, "Default true"),
  tools: clearable(list, "The only tools to be offered; absent = all"),
  effects: clearable(
    { type: "object", additionalProperties: { enum: effects } },
    "What a call may do, by tool, * for the others",
  ),
  sandbox: clearable(boolean, "Run the command in the sandbox; default false"),
  read: clearable(list, "Files and folders that it reads there"),
  write: clearable(list, "Folders that it writes there"),
  network: clearable(
    { anyOf: [{ enum: ["none", "public"] }, list] },
    "What it reaches from there: none (default), public, or a list of hosts",
  ),
} as const;
