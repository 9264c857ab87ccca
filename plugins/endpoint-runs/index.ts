import { definePlugin } from "@pergola/sdk";
import { runs } from "./routes.ts";

export default definePlugin({ endpoints: [runs] });
