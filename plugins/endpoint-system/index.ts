import { definePlugin } from "@pergola/sdk";
import { doctor } from "./doctor.ts";
import { system } from "./routes.ts";

export default definePlugin({ endpoints: [system, doctor] });
