import { temporaryFolder } from "@pergola/sdk/testing";
import { startHost } from "./host-process.ts";

/** A data directory whose host was killed: the last writes are in the log beside the database. */
export async function crashedFolder(): Promise<string> {
  const dataDirectory = temporaryFolder();
  const host = await startHost(dataDirectory);
  await host.line();
  for (let number = 0; number < 5; number++) await host.ask(`put line-${number}`);
  await host.kill();
  return dataDirectory;
}
