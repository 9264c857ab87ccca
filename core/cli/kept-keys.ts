/** What a terminal makes of some keys itself, unless it hands all of them on. */
const signals: Readonly<Partial<Record<number, NodeJS.Signals>>> = {
  3: "SIGINT",
  28: "SIGQUIT",
  ...(process.platform !== "win32" && { 26: "SIGTSTP" }),
};

/** On Windows a process that sends itself a signal ends, whatever it does at that signal. */
function raise(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 0) process.emit(signal, signal);
  else process.kill(process.pid, signal);
}

/**
 * Keeps what is typed for the next prompt, unseen. A terminal would show it at once, in the middle of an
 * answer, and with the Enter key the cursor would leave the line that is to be drawn again. Ctrl-C, Ctrl-\
 * and Ctrl-Z do what they always do.
 */
export class KeptKeys {
  #kept: number[] = [];
  #isOn = false;

  begin = (): void => {
    if (this.#isOn || !process.stdin.isTTY) return;
    this.#isOn = true;
    process.stdin.setRawMode(true);
    process.stdin.on("data", this.#take);
    process.stdin.resume();
  };

  /** Whoever reads the terminal next gets what was kept. */
  end(): void {
    process.off("SIGCONT", this.begin);
    if (!this.#isOn) return;
    this.#isOn = false;
    process.stdin.off("data", this.#take);
    process.stdin.pause();
    process.stdin.setRawMode(false);
    const kept = Buffer.from(this.#kept.splice(0));
    if (kept.length > 0) process.stdin.unshift(kept);
  }

  readonly #take = (piece: Buffer | string): void => {
    for (const byte of Buffer.from(piece)) {
      const signal = signals[byte];
      if (signal === undefined) this.#kept.push(byte);
      else this.#send(signal);
    }
  };

  /** What was typed before is dropped, as a terminal does. */
  #send(signal: NodeJS.Signals): void {
    this.#kept = [];
    if (signal !== "SIGTSTP") return raise(signal);
    this.end();
    process.once("SIGCONT", this.begin);
    process.kill(process.pid, "SIGTSTP");
  }
}
