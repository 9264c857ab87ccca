import { definePlugin } from "@pergola/sdk";
import { system } from "./routes.ts";

export default definePlugin({ endpoints: [system] });
