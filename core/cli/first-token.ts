import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { AccessKeeper, MadeToken } from "@pergola/sdk/host";
import type { Host } from "../host.ts";
import { untilText } from "./local-time.ts";
import { curlLine, isPageAmong } from "./page.ts";
import { qrCode } from "./qr-code.ts";

const day = 24 * 60 * 60 * 1000;
const interval = 5000;

const fileIn = (dataDirectory: string): string => path.join(dataDirectory, "first-token");

/** Removes the file of the first token once the token was used, or after a day. */
async function tidyUp(file: string, access: AccessKeeper): Promise<void> {
  const isOld = Date.now() - statSync(file).mtimeMs > day;
  if (isOld || (await access.isFirstTokenUsed())) rmSync(file, { force: true });
}

/** Looks every few seconds whether the file can go. What it gives back ends that. */
function watchFile(file: string, access: AccessKeeper): () => void {
  const look = (): void => {
    if (!existsSync(file)) return clearInterval(timer);
    void tidyUp(file, access).catch(() => undefined);
  };
  const timer = setInterval(look, interval).unref();
  look();
  return () => clearInterval(timer);
}

/** A new file, private from the first moment. */
function writePrivate(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${text}\n`, { mode: 0o600, flag: "wx" });
}

/** The lines that tell a person at a terminal how to get in from another device. */
const invitation = (
  address: string,
  { secret, token: { expiresAt } }: MadeToken,
  way: readonly string[],
): readonly string[] => [
  "",
  "Other devices may come in from now on. They need this token, which is not shown again:",
  `  address     ${address}`,
  `  token       ${secret}`,
  `  valid       ${untilText(expiresAt)}`,
  ...way,
  "Another device gets a token of its own with: pergola tokens add <name>",
];

/** How to open the page by a code that works once. */
const byCode = (link: string): readonly string[] => [
  "On a phone, scan this code within 10 minutes. It works once:",
  ...qrCode(link),
  `  ${link}`,
];

/** How to try the token where the service has no page. */
const byCurl = (address: string, secret: string): readonly string[] => [
  "Try it there with:",
  `  ${curlLine(address, secret)}`,
];

/**
 * Makes the token of a first start that lets other devices in and shows it: to the person at the terminal, or
 * in a private file of the data directory, for logs of services are kept. Gives the lines to show, and what
 * ends the watch on the file.
 */
export async function offerFirstToken(
  host: Pick<Host, "access" | "dataDirectory" | "log" | "remoteUrls" | "services" | "url">,
  isAtTerminal: boolean,
): Promise<{ readonly lines: readonly string[]; readonly stop: () => void }> {
  const { access, dataDirectory, log, services } = host;
  const file = fileIn(dataDirectory);
  if (access === undefined) return { lines: [], stop: () => undefined };
  const stop = watchFile(file, access);
  if (!services.preferences.get<boolean>("server.allow_remote") || (await access.hasToken()))
    return { lines: [], stop };
  const made = await access.addFirstToken();
  const { token, secret } = made;
  const [address = host.url] = host.remoteUrls;
  if (isAtTerminal) {
    const way = isPageAmong(services.system.routes())
      ? byCode(`${address}/#code=${(await access.makeCode({ tokenId: token.id })).code}`)
      : byCurl(address, secret);
    return { lines: invitation(address, made, way), stop };
  }
  writePrivate(file, secret);
  const validity = `The token is valid ${untilText(token.expiresAt)}.`;
  log.info({ file, address }, `The token for other devices is in this file, at most for a day. ${validity}`);
  stop();
  return { lines: [], stop: watchFile(file, access) };
}
