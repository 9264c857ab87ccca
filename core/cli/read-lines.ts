import { createInterface, type Interface, type Key } from "node:readline";
import { LineHistory, mostLines } from "./line-history.ts";

/**
 * The lines of a pipe, or those that a person writes after the prompt, up to Ctrl-D. At a terminal nothing is
 * read between two lines: the keys then belong to whoever asks. Ctrl-C clears what is being written; on an
 * empty line it is the end, before which `interrupted` is called. The Tab key completes the words. What is
 * pasted stays one text, sent with the Enter key; so does what is written in several lines, each but the last
 * with a backslash at its end. The arrow keys bring back what is in the history.
 */
export async function* readLines(
  prompt: string,
  interrupted: () => void,
  words: readonly string[] = [],
  history = new LineHistory(),
): AsyncIterable<string> {
  if (!process.stdin.isTTY) {
    yield* createInterface({ input: process.stdin });
    return;
  }
  const terminal: Terminal = { prompt, interrupted, words, history, waiting: [], rest: "" };
  for (;;) {
    if (terminal.waiting.length === 0) await readTerminal(terminal);
    const line = terminal.waiting.shift();
    if (line === undefined) return;
    yield line;
  }
}

interface Terminal {
  readonly prompt: string;
  readonly interrupted: () => void;
  /** What the Tab key completes. */
  readonly words: readonly string[];
  readonly history: LineHistory;
  /** Lines that came at once, as from the clipboard. */
  readonly waiting: string[];
  /** What was written after them. */
  rest: string;
}

/** Asks a terminal to say where pasted text begins and ends, or not to. */
const bracketedPaste = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

/** What asks for the next line of one text. */
const furtherPrompt = "… ";

/** A text of several lines: pasted, or written with a backslash at the end of each but the last. */
class Text {
  #isOpen = false;
  #lines: string[] = [];

  readonly onKey = (_text: string | undefined, { name = "" }: Key = {}): void => {
    if (name === "paste-start") this.#isOpen = true;
    if (name === "paste-end") this.#isOpen = false;
  };

  get isBegun(): boolean {
    return this.#lines.length > 0;
  }

  drop(): void {
    this.#lines = [];
  }

  /** The text that this line completes; undefined while more lines of it are to come. */
  with(line: string): string | undefined {
    const goesOn = !this.#isOpen && /(?<!\\)\\$/.test(line);
    this.#lines.push(goesOn ? line.slice(0, -1) : line);
    if (this.#isOpen || goesOn) return undefined;
    const text = this.#lines.join("\n");
    this.#lines = [];
    return text;
  }
}

function ask(reader: Interface, prompt: string): void {
  reader.setPrompt(prompt);
  reader.prompt();
}

/** Takes back what is being written, and asks for it anew. */
function clear(reader: Interface, whole: Text, prompt: string): void {
  reader.write(null, { ctrl: true, name: "e" });
  reader.write(null, { ctrl: true, name: "u" });
  whole.drop();
  ask(reader, prompt);
}

/** Reads until at least one line is waiting, or the person leaves. */
async function readTerminal(terminal: Terminal): Promise<void> {
  if (process.stdin.readableEnded || process.stdin.destroyed) return;
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  const reader = createInterface({
    input: process.stdin,
    output,
    terminal: true,
    prompt: terminal.prompt,
    history: [...terminal.history.lines],
    historySize: mostLines,
    completer: (line: string) => [terminal.words.filter((word) => word.startsWith(line)), line],
  });
  const whole = new Text();
  process.stdin.on("keypress", whole.onKey);
  output.write(bracketedPaste.on);
  await new Promise<void>((resolve) => {
    reader.on("history", (lines) => terminal.history.replace([...lines]));
    reader.on("line", (line) => {
      const text = whole.with(line);
      if (text === undefined) return ask(reader, furtherPrompt);
      terminal.waiting.push(text);
      setImmediate(() => reader.close());
    });
    reader.on("SIGINT", () => {
      if (reader.line !== "" || whole.isBegun) return clear(reader, whole, terminal.prompt);
      terminal.interrupted();
      reader.close();
    });
    reader.on("close", resolve);
    reader.prompt();
    reader.write(terminal.rest);
  });
  process.stdin.off("keypress", whole.onKey);
  output.write(bracketedPaste.off);
  terminal.rest = terminal.waiting.length > 0 ? reader.line : "";
  if (terminal.waiting.length === 0 || terminal.rest !== "") output.write("\n");
}
