/** What the commands end with. */
export const exitCodes = {
  /** All went well. */
  ok: 0,
  /** The work failed: a run ended in an error, a tool call failed, `doctor` found a fault. */
  failed: 1,
  /** The command line or the settings are wrong. */
  usage: 2,
  /** The service could not start or could not be reached. */
  unavailable: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
