import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { officialPlugins } from "./host.ts";
import { labPlugin } from "./lab-stage.ts";
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
