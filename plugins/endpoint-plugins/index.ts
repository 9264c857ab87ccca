import { definePlugin } from "@pergola/sdk";
import { plugins } from "./routes.ts";

export default definePlugin({ endpoints: [plugins] });
