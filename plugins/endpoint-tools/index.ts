import { definePlugin } from "@pergola/sdk";
import { tools } from "./routes.ts";

export default definePlugin({ endpoints: [tools] });
