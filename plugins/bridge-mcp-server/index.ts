import { defineEndpoints, definePlugin, type Services } from "@pergola/sdk";
import { routesOf } from "./routes.ts";
import { Sessions } from "./sessions.ts";

const hosts = new Map<Services, Sessions>();

function sessionsOf(services: Services): Sessions {
  const sessions = hosts.get(services) ?? new Sessions(services);
  hosts.set(services, sessions);
  return sessions;
}

export default definePlugin({
  endpoints: [defineEndpoints({ group: "mcp", routes: routesOf(sessionsOf) })],
  async stop() {
    const ending = [...hosts].filter(([services]) => services.system.stopping);
    for (const [services] of ending) hosts.delete(services);
    await Promise.all(ending.map(([, sessions]) => sessions.close()));
  },
});
