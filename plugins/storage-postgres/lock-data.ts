import { lockDirectory, Refused } from "@pergola/kit-storage/directory";
import { PluginError } from "@pergola/sdk";

/**
 * Takes a data directory for this process, and returns the function that gives it back: whatever the database
 * is, the notes, secrets and audit in it are one host's. Throws PluginError while another has it.
 */
export function lockData(dataDirectory: string, step: string): () => void {
  try {
    return lockDirectory(dataDirectory);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { message, remedy, cause } = error;
    throw new PluginError("storage-postgres", step, message, { remedy, cause });
  }
}
