import { definePlugin } from "@pergola/sdk";
import { memories } from "./routes.ts";

export default definePlugin({ endpoints: [memories] });
