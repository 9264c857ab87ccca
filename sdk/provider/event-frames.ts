/** What hears of a body of server-sent events. */
export interface FrameListener {
  /** One event; `name` is "" where it has none. */
  event(data: string, name: string): void;
  /** A line that is neither a comment nor a field that events have, as it came. */
  line(text: string): void;
  /** A line, or the data of one event, is longer than it may be; nothing more is told. */
  tooLong(): void;
}

/**
 * Reads server-sent events (HTML standard, section 9.2.6) wherever their bytes are cut; `id` and `retry` are
 * of no use here.
 */
export class EventFrames {
  readonly #listener: FrameListener;
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  /** What came of a line that has no end yet. */
  #partialLine = "";
  #endsInReturn = false;
  #name = "";
  #data: string | undefined;
  #over = false;

  /** `limit`: characters. */
  constructor(listener: FrameListener, limit: number) {
    this.#listener = listener;
    this.#limit = limit;
  }

  /** The next bytes, or, for undefined, the end of the body. */
  feed(bytes: Uint8Array | undefined): void {
    let text = this.#decoder.decode(bytes, { stream: bytes !== undefined });
    if (bytes === undefined) text += "\n\n";
    if (text === "") return;
    const endOf = text.includes("\r") ? anyEnd : lineFeed;
    let from = Number(this.#endsInReturn && text.startsWith("\n"));
    this.#endsInReturn = text.endsWith("\r");
    for (let end = endOf(text, from); end !== -1 && !this.#over; end = endOf(text, from)) {
      this.#read(this.#partialLine + text.slice(from, end));
      this.#partialLine = "";
      from = end + 1 + Number(text.startsWith("\r\n", end));
    }
    this.#partialLine += text.slice(from);
    this.#measure(this.#partialLine);
  }

  #read(line: string): void {
    if (line === "") this.#dispatch();
    else if (line.startsWith("data:")) this.#gather(valueOf(line, 5));
    else if (line.startsWith("event:")) this.#name = valueOf(line, 6);
    else if (line === "data") this.#gather("");
    else if (!/^(?::|(?:event|id|retry)(?:$|:))/.test(line)) this.#listener.line(line);
  }

  #gather(data: string): void {
    if (this.#data === undefined) this.#data = data;
    else this.#data += `\n${data}`;
    this.#measure(this.#data);
  }

  #dispatch(): void {
    const [data, name] = [this.#data, this.#name];
    [this.#data, this.#name] = [undefined, ""];
    if (data !== undefined) this.#listener.event(data, name);
  }

  #measure({ length }: string): void {
    if (length <= this.#limit || this.#over) return;
    this.#over = true;
    this.#listener.tooLong();
  }
}

const lineFeed = (text: string, from: number): number => text.indexOf("\n", from);

function anyEnd(text: string, from: number): number {
  const end = /[\r\n]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? -1;
}

/** One space before the value is no part of it. */
const valueOf = (line: string, from: number): string => line.slice(from).replace(/^ /, "");
