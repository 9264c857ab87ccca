import { defineHostPlugin } from "@pergola/sdk/host";
import { Topics } from "./topics.ts";

export default defineHostPlugin({ parts: { topics: (parts) => new Topics(parts) } });
