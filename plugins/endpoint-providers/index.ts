import { definePlugin } from "@pergola/sdk";
import { providers } from "./routes.ts";

export default definePlugin({ endpoints: [providers] });
