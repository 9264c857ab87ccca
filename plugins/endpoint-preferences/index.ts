import { definePlugin } from "@pergola/sdk";
import { preferences } from "./routes.ts";

export default definePlugin({ endpoints: [preferences] });
