import type { PluginHost } from "@pergola/sdk";
import { defineHostPlugin } from "@pergola/sdk/host";
import { metrics } from "./routes.ts";
import { Telemetry } from "./telemetry.ts";

/** The part that this plugin has made; undefined where another plugin brings it. */
function telemetryOf({ services }: PluginHost): Telemetry | undefined {
  return services.telemetry instanceof Telemetry ? services.telemetry : undefined;
}

export default defineHostPlugin({
  parts: { telemetry: (parts) => new Telemetry(parts) },
  endpoints: [metrics],
  register(host) {
    host.tap("modelCallEnded", (call) => telemetryOf(host)?.modelCallEnded(call));
    host.tap("toolCallEnded", (call) => telemetryOf(host)?.toolCallEnded(call));
    host.tap("runEnded", (run) => telemetryOf(host)?.runEnded(run));
  },
});
