import { defineHostPlugin } from "@pergola/sdk/host";
import { Approvals } from "./approvals.ts";

export default defineHostPlugin({ parts: { approvals: (parts) => new Approvals(parts) } });
