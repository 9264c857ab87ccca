import { defineHostPlugin } from "@pergola/sdk/host";
import { transfer } from "./routes.ts";
import { Transfer } from "./transfer.ts";

export default defineHostPlugin({
  parts: { transfer: (parts) => new Transfer(parts) },
  endpoints: [transfer],
});
