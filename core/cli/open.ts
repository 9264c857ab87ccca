import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { fault } from "../fault.ts";
import { exitCodes } from "./exit-codes.ts";
import { runningService } from "./find-service.ts";
import { openBrowser } from "./open-browser.ts";
import { hasPage } from "./page.ts";
import { printNote, printResult } from "./print-result.ts";
import { Service, type CommonOptions } from "./service.ts";

interface OpenOptions extends CommonOptions {
  /** Only print the address. */
  readonly print?: boolean;
}

/**
 * A page that leads to the address: other accounts can read the arguments of a program, and the code with
 * them, but not this file.
 */
function writeBridge(folder: string, address: string): string {
  const file = path.join(folder, "open.html");
  rmSync(file, { force: true });
  const refresh = `<meta http-equiv="refresh" content="0; url=${address}">`;
  const text = `<!doctype html>${refresh}<a href="${address}">Pergola</a>\n`;
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return pathToFileURL(file).href;
}

const noPage =
  "This service has no page for browsers: endpoint-web is off. `pergola chat` talks to it; other programs " +
  "use its API with a token (docs/remote-access.md).";

/** The address of the page, if there is one; with a one-time code where the browser has to sign in. */
async function pageAddress(service: Service): Promise<string | undefined> {
  if (!(await hasPage(service))) return undefined;
  const { preferences } = await service.get<{ readonly preferences: Readonly<Record<string, unknown>> }>(
    "/api/preferences",
  );
  if (preferences["auth.loopback"] !== "token") return `${service.url}/`;
  const { code } = await service.send<{ readonly code: string }>("POST", "/api/session/code");
  return `${service.url}/#code=${encodeURIComponent(code)}`;
}

/**
 * Opens the page of the service that runs, signed in. Rejects with AppError `service_unreachable` where none
 * runs, and with `invalid_value` where it is not on this data: only there the command line can prove whose it
 * is.
 */
export async function open(options: OpenOptions): Promise<number> {
  const { note } = await runningService(options);
  if (note === undefined)
    throw fault(
      "invalid_value",
      "Only a service on this computer, on its own data, can be opened. Leave out --url.",
    );
  const service = new Service(options);
  await service.open();
  const address = await pageAddress(service).finally(() => service.close());
  if (address === undefined) {
    printNote(noPage);
    return exitCodes.failed;
  }
  if (options.print === true || options.json === true) {
    printResult(options, { url: address }, [address]);
    return exitCodes.ok;
  }
  const target = address.includes("#") ? writeBridge(note.data, address) : address;
  if (await openBrowser(target)) return exitCodes.ok;
  printNote(`No browser could be started. Open this address yourself: ${address}`);
  return exitCodes.failed;
}
