import path from "node:path";
import { lookToTrust } from "../settings/trust.ts";
import { writeTrusted } from "../settings/trusted-list.ts";
import { isConfirmed } from "./ask-person.ts";
import { printLines, printNote } from "./print-result.ts";
import { visible } from "./visible.ts";

/**
 * Lets the settings file of a folder do everything, and its tools be used, as long as they stay as they are
 * now. At a terminal it asks about tools first.
 */
export async function trust(folder: string): Promise<void> {
  const found = await lookToTrust(folder);
  const places = Object.keys(found.files).map((name) => path.join(found.folder, name));
  const hasTools = places.some((place) => path.dirname(place) !== found.folder);
  if (hasTools && process.stdin.isTTY && process.stdout.isTTY) {
    printLines([
      "Tools are programs: each works as far as the permissions in it reach.",
      ...places.map(visible),
    ]);
    if (!(await isConfirmed("Have you read these files, and trust them as they are now?", "--yes")))
      return printNote("Nothing is trusted.");
  }
  writeTrusted(found.folder, found.files, {});
  printLines(places.map((place) => `Trusted ${visible(place)}. A change of the file asks again.`));
}
