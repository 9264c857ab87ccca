import { definePlugin } from "@pergola/sdk";
import { authorize } from "./authorize.ts";

export default definePlugin({
  register(host) {
    const closedTools = () => host.services.preferences.get<readonly string[]>("sample_name.closed_tools");
    host.tap("authorizeToolCall", (call, context) => authorize(call, context, closedTools()), {
      stage: "early",
    });
  },
});
