import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceManager } from "./manager.ts";
import { runProgram } from "./run-program.ts";
import type { StartCommand } from "./start-command.ts";

const label = "pergola";
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const text = (value: string): string =>
  `<string>${value.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign)}</string>`;

const file = (): string => path.join(homedir(), "Library/LaunchAgents", `${label}.plist`);
const log = (): string => path.join(homedir(), "Library/Logs/pergola.log");
const domain = (): string => `gui/${process.getuid?.() ?? 0}`;
const agent = (): string => `${domain()}/${label}`;
const launchctl = (...words: readonly string[]) => runProgram("launchctl", words);
/** What launchd says of the agent; undefined = it does not have it. */
const state = (): Promise<string | undefined> => launchctl("print", agent()).catch(() => undefined);

/** The longest that a program takes to end, in seconds: launchd kills it then. */
const exitSeconds = 30;

/**
 * Takes the agent from launchd and waits for its end: launchd takes no other one of its label before.
 * `bootout` may fail with "Operation now in progress" meanwhile, so its failure counts where the agent stays.
 */
async function leave(): Promise<void> {
  if ((await state()) === undefined) return;
  const failure = await launchctl("bootout", agent()).catch((error: unknown) => error);
  const last = Date.now() + (exitSeconds + 5) * 1000;
  while ((await state()) !== undefined) {
    if (Date.now() > last) throw failure instanceof Error ? failure : new Error("launchd does not end it.");
    await sleep(200);
  }
}

/** The agent of launchd, as launchd.plist(5) has it. */
export const launchdAgent = ({
  words,
  path: programs,
}: StartCommand): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${text(label)}
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    ${text(word)}`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key>${text(programs)}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>${exitSeconds}</integer>
  <key>StandardOutPath</key>${text(log())}
  <key>StandardErrorPath</key>${text(log())}
</dict>
</plist>
`;

/** A user's agent of launchd. */
export const launchd: ServiceManager = {
  file,
  text: launchdAgent,
  start: async () => {
    await leave();
    // An agent that was once switched off by `launchctl disable` could not be started otherwise.
    await launchctl("enable", agent());
    await launchctl("bootstrap", domain(), file());
  },
  stop: leave,
  forget: async () => undefined,
  isRunning: async () => /^\s*state = running$/m.test((await state()) ?? ""),
  hints: [`Logs: ${log()}`],
};
