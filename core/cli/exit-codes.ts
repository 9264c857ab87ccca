/** What the commands end with. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unavailable: 3,
  interrupted: 130,
} as const;

/** The code of a command that did its work, and whether the work went well. */
export const exitCodeOf = (isOk: boolean): number => (isOk ? exitCodes.ok : exitCodes.failed);

/** What each code says; the text of `--help`. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "all went well",
  failed: "the work failed: a run or a call ended in an error, or `doctor` or `plugins check` found a fault",
  usage: "the command line or the settings are wrong, or nothing has the name that was given",
  unavailable: "the service could not start, or nothing answers at its address",
  interrupted: "stopped by Ctrl-C, or at once by a second signal",
};
