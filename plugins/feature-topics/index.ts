import { definePlugin } from "@pergola/sdk";
import { topics } from "./routes.ts";
import { Topics } from "./topics.ts";

export default definePlugin({ parts: { topics: (parts) => new Topics(parts) }, endpoints: [topics] });
