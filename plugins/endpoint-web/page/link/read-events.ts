/** An event of a server's stream; a comment keeps the stream alive and says nothing. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

function eventIn(block: string): StreamEvent | undefined {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).replace(/^ /, "");
  }
  const { id = "", event = "message", data } = fields;
  return data === undefined ? undefined : { id, event, data };
}

/** Splits text that comes in pieces into events; gives what was cut off back to itself. */
export class EventSplitter {
  #rest = "";

  push(text: string): readonly StreamEvent[] {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => eventIn(block) ?? []);
  }
}
