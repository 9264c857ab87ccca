import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { copilotQuota } from "./routes/copilot-quota.ts";
import { listProviders } from "./routes/list-providers.ts";
import { providerQuota } from "./routes/provider-quota.ts";
import { startLogin } from "./routes/start-login.ts";

export const providers = defineEndpoints({
  group: "providers",
  routes: [listProviders, startLogin, providerQuota, copilotQuota],
});

export default definePlugin({ endpoints: [providers] });
