import { definePlugin } from "@pergola/sdk";
import { Topics } from "./topics.ts";

export default definePlugin({ parts: { topics: (parts) => new Topics(parts) } });
