import { defineHostPlugin } from "@pergola/sdk/host";
import { schedules } from "./routes.ts";
import { Schedules } from "./schedules.ts";

export default defineHostPlugin({
  parts: { schedules: (parts) => new Schedules(parts) },
  endpoints: [schedules],
});
