import type { PluginHost } from "@pergola/sdk";
import { defineHostPlugin } from "@pergola/sdk/host";
import { Access } from "./access.ts";
import { audit } from "./routes/audit-routes.ts";
import { session } from "./routes/session-routes.ts";
import { tokens } from "./routes/token-routes.ts";

/** The part that this plugin has made; undefined where another plugin brings it. */
function accessOf({ services }: PluginHost): Access | undefined {
  return services.access instanceof Access ? services.access : undefined;
}

export default defineHostPlugin({
  parts: { access: (parts) => new Access(parts) },
  endpoints: [tokens, session, audit],
  register(host) {
    host.tap("authenticate", (request) => accessOf(host)?.identify(request));
    host.tap("toolCallEnded", (summary) => accessOf(host)?.noteCall(summary));
  },
});
