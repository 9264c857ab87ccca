import { homedir, userInfo } from "node:os";
import path from "node:path";
import { runProgram } from "./run-program.ts";
import type { StartCommand } from "./start-command.ts";
import type { ServiceManager } from "./manager.ts";

const name = "pergola.service";
const systemctl = (...words: readonly string[]) => runProgram("systemctl", ["--user", ...words]);

/** A word as systemd reads it; see "Quoting" in systemd.service(5) and systemd.unit(5). */
const quoted = (word: string): string =>
  `"${word.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("\n", "\\n")}"`;

/** In a command systemd also replaces variables. */
const argument = (word: string): string => quoted(word).replaceAll("$", "$$$$");

/** The unit of a user's service. */
export const systemdUnit = ({ words, path: programs }: StartCommand): string => `[Unit]
Description=Pergola, a local chat-and-agent service

[Service]
ExecStart=${words.map(argument).join(" ")}
Environment=${quoted(`PATH=${programs}`)}
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2
NoNewPrivileges=yes
KillMode=mixed
TimeoutStopSec=30

[Install]
WantedBy=default.target
`;

/** A user's service of systemd. */
export const systemd: ServiceManager = {
  file: () =>
    path.join(process.env["XDG_CONFIG_HOME"] ?? path.join(homedir(), ".config"), "systemd/user", name),
  text: systemdUnit,
  start: async () => {
    await systemctl("daemon-reload");
    await systemctl("enable", name);
    await systemctl("restart", name);
  },
  stop: async () => void (await systemctl("disable", "--now", name)),
  forget: async () => void (await systemctl("daemon-reload")),
  isRunning: async () => (await systemctl("is-active", name).catch(() => "")).trim() === "active",
  hints: [
    `Logs: journalctl --user -u ${name}`,
    `It ends when you log out. To let it run always: loginctl enable-linger ${userInfo().username}`,
  ],
};
