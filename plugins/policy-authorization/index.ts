import { homedir } from "node:os";
import { definePlugin } from "@pergola/sdk";
import { authorize } from "./authorize.ts";
import { rulesReader } from "./rules.ts";

export default definePlugin({
  register(host) {
    const rulesOf = rulesReader(homedir());
    host.tap("authorizeToolCall", (call, context) =>
      authorize(call, context, rulesOf(host.services.preferences)),
    );
  },
});
