import { defineEndpoints, definePlugin, type Services } from "@pergola/sdk";
import { McpEndpoint } from "./mcp-endpoint.ts";
import { routesOf } from "./routes.ts";

const hosts = new Map<Services, McpEndpoint>();

function endpointOf(services: Services): McpEndpoint {
  const endpoint = hosts.get(services) ?? new McpEndpoint(services);
  hosts.set(services, endpoint);
  return endpoint;
}

export default definePlugin({
  endpoints: [defineEndpoints({ group: "mcp", routes: routesOf(endpointOf) })],
  async stop() {
    const ending = [...hosts].filter(([services]) => services.system.stopping);
    for (const [services] of ending) hosts.delete(services);
    await Promise.all(ending.map(([, endpoint]) => endpoint.close()));
  },
});
