import type { ToolDisplay } from "@pergola/sdk";
import type { PlaceArguments } from "./place.ts";

/** The text of a call's card: what is asked, and for where. */
export function card(
  actionDisplayName: string,
  { city, latitude, longitude }: PlaceArguments,
): Partial<ToolDisplay> {
  const where = latitude === undefined || longitude === undefined ? city : `${latitude}, ${longitude}`;
  return {
    actionDisplayName,
    summary: where === undefined ? actionDisplayName : `${actionDisplayName}: ${where}`,
    details: [],
    icon: "cloud",
  };
}
