/** Bytes of one message from a plugin's process, and from the host to it. */
export const maxFrameBytes = 2 ** 23;
export const maxHostFrameBytes = 2 ** 28;

/** What a plugin's process may do before it is ended, or waits. */
export const processLimits = {
  /** Requests to the door that are open at once, their answers unread included; then nothing is read. */
  openRequests: 64,
  /** Bytes that one call may send to the door. */
  callBytes: 64 * 2 ** 20,
  /** Lines that it logs, or writes, in a second; then they are dropped, or wait. */
  linesPerSecond: 200,
  /** Descriptors. */
  files: 64,
  /** Files in its `/tmp`. */
  scratchFiles: 10_000,
};

export const megabyte = 2 ** 20;

/** Where the manifest says nothing. */
export const defaultMegabytes = { memory: 512, scratch: 16 };
