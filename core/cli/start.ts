import { rollBackOf } from "../doctor/plugin-findings.ts";
import { rootWarning } from "../doctor/root-warning.ts";
import { collectEarly } from "../early-collection.ts";
import type { Host, HostOptions } from "../host.ts";
import { LogFile } from "../log-file.ts";
import { startClean, type CleanStart } from "./clean-start.ts";
import { exitCodes } from "./exit-codes.ts";
import { offerFirstToken } from "./first-token.ts";
import { printLines, printResult } from "./print-result.ts";
import { leaveNote } from "./service-note.ts";
import { settingsOf, type CommonOptions } from "./service.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Serves until a signal comes: the first lets work end or be kept for the next start, the second ends at
 * once.
 */
export async function start(options: CommonOptions): Promise<void> {
  const clean = await startClean(options);
  // Not before: this process may be replaced.
  const { createHost } = await import("../host.ts");
  const { environment } = clean;
  const host = await createHost({ ...settingsOf(options), environment, writeLog: logWriter() });
  const stopped = signalled();
  try {
    await host.listen();
    const removeNote = leaveNote(host);
    keepServing(host);
    const isAtTerminal = process.stdout.isTTY && options.json !== true;
    const { lines, stop } = await offerFirstToken(host, isAtTerminal);
    greet(host, options, clean);
    warnRoot(host);
    printLines(lines);
    collectEarly(host.isAnswering);
    await stopped;
    stop();
    removeNote();
  } finally {
    await host.stop();
  }
}

/** Each line goes to stderr, and into the file that `pergola logs` shows. */
function logWriter(): NonNullable<HostOptions["writeLog"]> {
  let file: LogFile | undefined;
  return (line, dataDirectory) => {
    process.stderr.write(line);
    (file ??= new LogFile(dataDirectory)).write(line);
  };
}

/** What a plugin leaves behind in a timer or an unwatched promise must not end the work of all others. */
function keepServing({ log }: Host): void {
  process.on("unhandledRejection", (error) =>
    log.error({ error }, "a promise was rejected that nobody watches"),
  );
  process.on("uncaughtException", (error) =>
    log.error({ error }, "an error was thrown where nobody catches it"),
  );
}

function warnRoot({ log }: Host): void {
  const warning = rootWarning();
  if (warning !== undefined) log.warn({}, `The account: ${warning}`);
}

function greet(host: Host, options: CommonOptions, { exposed, reason }: CleanStart): void {
  const { url, dataDirectory, settingsFiles, services, remoteUrls } = host;
  const plugins = host.doubtfulPlugins();
  const faulty = plugins.filter(({ fault }) => fault !== null);
  const leftOut = faulty.map(({ id, fault }) => ({ id, fault }));
  const takenBack = plugins.flatMap((plugin) => {
    const why = rollBackOf(plugin);
    return why === undefined ? [] : [{ id: plugin.id, reason: why }];
  });
  const lines = [
    `Pergola serves on ${url}`,
    ...remoteUrls.map((address) => `  devices     ${address}`),
    `  settings    ${settingsFiles.join(", ") || "the defaults; there is no settings file"}`,
    `  data        ${dataDirectory}`,
    `  model       ${services.preferences.get<string>("default_model")}`,
    ...leftOut.map(({ id, fault }) => `  left out    ${id}: ${fault ?? ""}`),
    ...takenBack.map(({ id, reason }) => `  taken back  ${id}: ${reason}`),
    ...(exposed.length === 0 ? [] : [keysLine(exposed, reason)]),
    "  stop with Ctrl-C; `pergola chat` talks to it, `pergola doctor` tells what is missing",
  ];
  const { pid } = process;
  const data = dataDirectory;
  printResult(options, { url, remoteUrls, pid, data, leftOut, takenBack, exposedKeys: exposed }, lines);
}

const keysLine = (exposed: readonly string[], reason: string): string =>
  `  keys        other programs of your account can read ${exposed.join(", ")} as long as it runs: ` +
  `${reason}. \`pergola secrets import-env\` keeps them instead`;

/** Resolves at the first signal; from then on a signal ends the process at once. */
function signalled(): Promise<void> {
  let isFirst = true;
  return new Promise((resolve) => {
    const stop = (): void => {
      if (!isFirst) process.exit(exitCodes.interrupted);
      isFirst = false;
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
