import { toolDisplay, type ToolDisplay } from "@pergola/sdk";
import type { PlaceArguments } from "./place.ts";

/** What a person sees of a call: what is looked up, and for where. */
export function card(
  action: string,
  { city = "", latitude, longitude }: PlaceArguments,
): Partial<ToolDisplay> {
  if (latitude === undefined || longitude === undefined) return toolDisplay(action, city, "cloud");
  return toolDisplay(action, `${latitude}, ${longitude}`, "cloud");
}
