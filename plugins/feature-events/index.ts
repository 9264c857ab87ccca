import { defineHostPlugin } from "@pergola/sdk/host";
import { Events } from "./events.ts";
import { events } from "./routes.ts";

export default defineHostPlugin({ parts: { events: (parts) => new Events(parts) }, endpoints: [events] });
