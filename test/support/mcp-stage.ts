import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  type ElicitRequestFormParams,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { temporaryFolder } from "@pergola/sdk/testing";
import { officialPlugins } from "./host.ts";
import { labPlugin, openLab } from "./lab-stage.ts";
import { writePlugin } from "./plugins/write-plugin.ts";

/** Lets everybody in; who comes by a proxy counts as somebody on another computer, named by the proxy. */
const openDoor = {
  use: writePlugin(temporaryFolder(), {
    id: "policy-open",
    kind: "policy",
    provides: { hooks: ["authenticate"] },
    code: 'export default { register(host) { host.tap("authenticate", ({ headers }) => ({ kind: "token", name: "guest", root: null, remote: true, id: headers["x-forwarded-for"], scopes: ["read", "chat", "tools", "approve", "admin"] })); } };',
  }),
  isolation: "trusted",
};
const conformance = {
  use: path.join(import.meta.dirname, "plugins/tool-conformance"),
  isolation: "trusted",
};

/** The plugins of a host whose tools MCP clients use. */
export const mcpPlugins = [...officialPlugins(), labPlugin, conformance, openDoor];

type Person = (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;

/** What a call is answered. */
export interface McpAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/** The laboratory, with clients that are connected to its tools. */
export async function openMcpStage() {
  const stage = await openLab([], { plugins: mcpPlugins, settings: { mcp: { approval_seconds: 0 } } });
  const clients: Client[] = [];
  return {
    ...stage,
    /** Without a person the client can ask nobody. */
    connect: async (
      person?: Person,
      headers: Record<string, string> = {},
      name = "check",
    ): Promise<Client> => {
      const client = new Client(
        { name, version: "1" },
        { capabilities: person === undefined ? {} : { elicitation: {} } },
      );
      if (person !== undefined)
        client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
          person(params as ElicitRequestFormParams),
        );
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${stage.host.url}/mcp`), { requestInit: { headers } }),
      );
      clients.push(client);
      return client;
    },
    /** Closes all clients. */
    disconnect: async (): Promise<void> => {
      for (const client of clients.splice(0)) await client.close();
    },
  };
}

export type McpStage = Awaited<ReturnType<typeof openMcpStage>>;

export const callTool = async (
  client: Client,
  name: string,
  args: object = {},
  options = {},
): Promise<McpAnswer> =>
  (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as McpAnswer;
