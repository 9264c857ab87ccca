import { definePlugin } from "@pergola/sdk";
import { routes } from "./routes.ts";

export default definePlugin({ endpoints: [routes] });
