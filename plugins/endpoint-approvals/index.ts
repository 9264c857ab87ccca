import { definePlugin } from "@pergola/sdk";
import { approvals } from "./routes.ts";

export default definePlugin({ endpoints: [approvals] });
