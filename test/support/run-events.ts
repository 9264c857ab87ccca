import { expect } from "chai";

export interface WireRunEvent {
  readonly id: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function eventOf(block: string): WireRunEvent {
  const [id = "", event = "", data = ""] = block.split("\n");
  expect([id.slice(0, 4), event.slice(0, 7), data.slice(0, 6)]).to.deep.equal(["id: ", "event: ", "data: "]);
  return {
    id: Number(id.slice(4)),
    event: event.slice(7),
    data: JSON.parse(data.slice(6)) as WireRunEvent["data"],
  };
}

/** What a stream of run events has said; pings left out. */
export const runEventsOf = (text: string): readonly WireRunEvent[] =>
  text
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .map(eventOf);
