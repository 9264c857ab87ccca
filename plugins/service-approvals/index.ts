import { definePlugin } from "@pergola/sdk";
import { Approvals } from "./approvals.ts";

export default definePlugin({ parts: { approvals: (parts) => new Approvals(parts) } });
