import { defineHostPlugin } from "@pergola/sdk/host";
import { topics } from "./routes.ts";
import { Topics } from "./topics.ts";

export default defineHostPlugin({ parts: { topics: (parts) => new Topics(parts) }, endpoints: [topics] });
