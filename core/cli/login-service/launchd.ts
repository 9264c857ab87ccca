import { homedir } from "node:os";
import path from "node:path";
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
const launchctl = (...words: readonly string[]) => runProgram("launchctl", words);
const leave = (): Promise<unknown> => launchctl("bootout", `${domain()}/${label}`).catch(() => undefined);

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
  <key>ExitTimeOut</key><integer>30</integer>
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
    await launchctl("bootstrap", domain(), file());
  },
  stop: async () => void (await leave()),
  forget: async () => undefined,
  isRunning: async () =>
    /state = running/.test(await launchctl("print", `${domain()}/${label}`).catch(() => "")),
  hints: [`Logs: ${log()}`],
};
