import { definePlugin } from "@pergola/sdk";
import { openDoors } from "./open-doors.ts";

export default definePlugin({ parts: { doors: openDoors } });
