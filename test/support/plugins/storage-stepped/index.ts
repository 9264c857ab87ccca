import { definePlugin, defineStorage } from "@pergola/sdk";
import { shared } from "./shared-store.ts";

const stepped = defineStorage({
  type: "stepped",
  open: (_, { hostLabel = "" }) => shared.addHost(hostLabel),
});

export default definePlugin({ storages: [stepped] });
