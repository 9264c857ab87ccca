import { spawn } from "node:child_process";
import { once } from "node:events";

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Hands an address to the person's browser. False where no program does that. */
export async function openBrowser(address: string): Promise<boolean> {
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
  const started = await once(child, "spawn").then(
    () => true,
    () => false,
  );
  child.unref();
  return started;
}
