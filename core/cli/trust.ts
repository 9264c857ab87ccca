import { trustFolder } from "../settings/trust.ts";
import { printLines } from "./print-result.ts";

/** Lets the settings file of a folder do everything, as long as it stays as it is now. */
export async function trust(folder: string): Promise<void> {
  const file = await trustFolder(folder);
  printLines([`Trusted ${file}. A change of the file asks again.`]);
}
