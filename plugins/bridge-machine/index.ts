import { defineHostPlugin } from "@pergola/sdk/host";
import { openDoors } from "./open-doors.ts";

export default defineHostPlugin({ parts: { doors: openDoors } });
