import { definePlugin } from "@pergola/sdk";
import { models } from "./routes.ts";

export default definePlugin({ endpoints: [models] });
